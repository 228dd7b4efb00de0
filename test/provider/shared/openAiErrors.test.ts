import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { InvalidRequest, Overloaded } from "../../../src/model/ModelError.ts"
import * as OpenAiErrors from "../../../src/provider/shared/openAiErrors.ts"
import { HttpError } from "../../../src/provider/transport/http.ts"

const reasonOf = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  OpenAiErrors.toReason(
    new HttpError(status, typeof body === "string" ? body : JSON.stringify(body), new Headers(headers)),
    "the-key-0123456789",
  )

const error = (message: string, more: object = {}) => ({ error: { message, ...more } })

describe("toReason", () => {
  for (const [what, status, body, tag, message] of [
    [
      "an invalid key",
      401,
      error("Incorrect API key provided: the-key-0123456789."),
      "Unauthorized",
      "Incorrect API key provided: [key].",
    ],
    [
      "a key that is rejected with 400",
      400,
      error("Incorrect API key provided", { code: "invalid_api_key" }),
      "Unauthorized",
      "Incorrect API key provided",
    ],
    [
      "an unsupported country",
      403,
      error("No.", { code: "unsupported_country_region_territory" }),
      "Unsupported",
      "No.",
    ],
    [
      "blocked content",
      403,
      error("Flagged.", { metadata: { flagged_input: "x", reasons: ["violence"] } }),
      "Blocked",
      "blocked: Flagged.",
    ],
    ["a list of errors", 400, { errors: [{ message: "No a." }, { title: "No b." }] }, "InvalidRequest", "No a.; No b."],
    ["a problem with a title alone", 400, { type: "about:blank", title: "Bad", status: 400 }, "InvalidRequest", "Bad"],
    ["a numbered error", 400, { error_code: 17, error_msg: "Limit reached" }, "InvalidRequest", "Limit reached"],
    ["an error of OAuth", 400, { error: "x", error_description: "No." }, "InvalidRequest", "No."],
    ["a code as the error", 429, { error: "insufficient_quota", message: "No credit" }, "QuotaExhausted", "No credit"],
    [
      "what a framework says of a status",
      400,
      { timestamp: "2026", status: 400, error: "Bad Request", message: "no field 'model'", path: "/v1" },
      "InvalidRequest",
      "no field 'model'",
    ],
    ["an empty message beside others", 400, { message: "", detail: "No c." }, "InvalidRequest", "No c."],
    ["an unknown model", 404, error("No.", { code: "model_not_found" }), "ModelNotFound", "No."],
    [
      "an unknown model of DeepSeek",
      400,
      error("Model Not Exist", { code: "invalid_request_error" }),
      "ModelNotFound",
      "Model Not Exist",
    ],
    [
      "an unknown model of OpenRouter",
      400,
      error("x/y is not a valid model ID", { code: 400 }),
      "ModelNotFound",
      "x/y is not a valid model ID",
    ],
    ["missing credit", 402, error("Insufficient Balance"), "QuotaExhausted", "Insufficient Balance"],
    [
      "missing credit, with status 429",
      429,
      error("You exceeded your current quota.", { type: "insufficient_quota", code: "insufficient_quota" }),
      "QuotaExhausted",
      "You exceeded your current quota.",
    ],
    [
      "a daily limit",
      429,
      error("Rate limit exceeded: free-models-per-day"),
      "QuotaExhausted",
      "Rate limit exceeded: free-models-per-day",
    ],
    [
      "a request larger than the limit per minute",
      429,
      error("Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 50000."),
      "ContextOverflow",
      "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 50000.",
    ],
    [
      "a request larger than the server accepts",
      413,
      error("Request too large"),
      "ContextOverflow",
      "Request too large",
    ],
    ["a full context", 400, error("No.", { code: "context_length_exceeded" }), "ContextOverflow", "No."],
    [
      "a full context of llama.cpp",
      400,
      error("the request exceeds the available context size", { type: "exceed_context_size_error" }),
      "ContextOverflow",
      "the request exceeds the available context size",
    ],
    [
      "a full context of LM Studio",
      400,
      { error: "The number of tokens is greater than the context length" },
      "ContextOverflow",
      "The number of tokens is greater than the context length",
    ],
    [
      "a full context of vLLM",
      400,
      { object: "error", message: "This model's maximum context length is 8 tokens.", code: 400 },
      "ContextOverflow",
      "This model's maximum context length is 8 tokens.",
    ],
    [
      "an invalid parameter",
      400,
      error("Invalid 'temperature'.", { code: "decimal_below_min_value" }),
      "InvalidRequest",
      "Invalid 'temperature'.",
    ],
    [
      "a list of validation errors",
      422,
      { detail: [{ loc: ["body", "n"], msg: "too small" }, { msg: "too many" }] },
      "InvalidRequest",
      "too small; too many",
    ],
    [
      "Google's array with one error",
      400,
      [error("API key not valid. Please pass a valid API key.", { code: 400, details: [] })],
      "Unauthorized",
      "API key not valid. Please pass a valid API key.",
    ],
    [
      "the upstream provider of OpenRouter",
      502,
      error("Provider returned error", { metadata: { raw: '{"error":{"message":"busy"}}' } }),
      "Overloaded",
      "Provider returned error: busy",
    ],
    ["an HTML page", 502, "<html>\nBad gateway</html>", "Overloaded", "HTTP 502"],
    [
      "a message of Alibaba",
      400,
      error("<400> Invalid: no such role"),
      "InvalidRequest",
      "<400> Invalid: no such role",
    ],
    ["nothing", 500, "", "Overloaded", "HTTP 500"],
    ["plain text", 503, "upstream\n  busy", "Overloaded", "upstream busy"],
  ] as const) {
    it(`recognises ${what} by the message of a ${status}`, () => {
      const reason = reasonOf(status, body)
      assert.strictEqual(reason._tag, tag)
      assert.strictEqual(reason.message, message)
    })
  }

  it("reads the delay from the header, or from the message", () => {
    for (const [words, millis] of [
      ["Please try again in 6m0s.", 360_000],
      ["Please try again in 1.5s. Visit us.", 1500],
      ["Please try again in 590ms.", 590],
      ["Please retry after 20s", 20_000],
    ] as const) {
      assert.deepInclude(reasonOf(429, error(words)), { _tag: "RateLimited", retryAfter: Duration.millis(millis) })
    }
    assert.deepInclude(reasonOf(429, error("Please try again in 1s."), { "retry-after": "7" }), {
      retryAfter: Duration.seconds(7),
    })
    assert.deepInclude(reasonOf(429, error("Slow down.")), { retryAfter: undefined })
  })
})

describe("statusOf", () => {
  for (const [what, body, status] of [
    ["its own status", { code: 429, message: "No." }, 429],
    ["its own status, as text", { code: "503", message: "No." }, 503],
    ["that of a rate limit", { code: "rate_limit_exceeded", message: "No." }, 429],
    ["that of a quota", { type: "insufficient_quota", message: "No." }, 429],
    ["that of a key", { code: "invalid_api_key", message: "No." }, 401],
    ["that of an invalid request", { type: "invalid_request_error", code: null, message: "No." }, 400],
    ["that of a full context", { code: null, message: "maximum context length is 8 tokens" }, 400],
    ["that of a server error", { code: "server_error", message: "No." }, 500],
    ["that of a server error, without fields", {}, 500],
    ["that of a server error, for a string", "busy", 500],
  ] as const) {
    it(`is ${what} for an error within an answer`, () => {
      assert.strictEqual(OpenAiErrors.statusOf(body), status)
    })
  }
})

describe("isAcceptedPlain", () => {
  const kept: Message.Message = { role: "assistant", content: [Block.thinking("", { openai: { model: "m" } })] }
  const request = { system: "", tools: [], messages: [Message.user("hello"), kept] }
  const about = new InvalidRequest({
    message: "Item 'rs_1' of type 'reasoning' was provided without its required item",
  })

  it("holds where a request is rejected for its metadata", () => {
    assert.isTrue(OpenAiErrors.isAcceptedPlain(about, request, "openai"))
  })

  it("holds where the key is a word of the error", () => {
    const body = JSON.stringify(error("Item 'rs_1' of type 'reasoning' was provided alone"))
    const reason = OpenAiErrors.toReason(new HttpError(400, body, new Headers()), "reasoning")
    assert.strictEqual(reason.message, "Item 'rs_1' of type '[key]' was provided alone")
    assert.isTrue(OpenAiErrors.isAcceptedPlain(reason, request, "openai"))
  })

  it("does not hold without metadata, or for another error", () => {
    assert.isFalse(OpenAiErrors.isAcceptedPlain(about, request, "groq"))
    assert.isFalse(OpenAiErrors.isAcceptedPlain(about, { ...request, messages: [Message.user("hello")] }, "openai"))
    assert.isFalse(OpenAiErrors.isAcceptedPlain(new InvalidRequest({ message: "No." }), request, "openai"))
    assert.isFalse(OpenAiErrors.isAcceptedPlain(new Overloaded({ message: "reasoning" }), request, "openai"))
  })
})
