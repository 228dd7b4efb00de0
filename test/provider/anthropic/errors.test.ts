import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { ContextOverflow, InvalidRequest } from "../../../src/model/ModelError.ts"
import { alternativeRequest, fromStreamError, toReason } from "../../../src/provider/anthropic/errors.ts"
import { HttpError } from "../../../src/provider/transport/http.ts"
import { hello } from "../../utils/Asking.ts"

const key = "test-key-0123456789"

const reasonOf = (status: number, error: unknown, headers: Record<string, string> = {}) =>
  toReason(new HttpError(status, JSON.stringify({ type: "error", error }), new Headers(headers)), key, () => 50_000)

const limited = (message: string, details?: object) => reasonOf(429, { type: "rate_limit_error", message, details })

describe("toReason", () => {
  it("maps the HTTP status", () => {
    for (const [status, tag] of [
      [400, "InvalidRequest"],
      [401, "Unauthorized"],
      [402, "QuotaExhausted"],
      [403, "Unauthorized"],
      [404, "ModelNotFound"],
      [413, "ContextOverflow"],
      [429, "RateLimited"],
      [500, "Overloaded"],
      [504, "Overloaded"],
      [529, "Overloaded"],
    ] as const) {
      const reason = reasonOf(status, { type: "some_error", message: "No." })
      assert.strictEqual(reason._tag, tag)
      assert.strictEqual(reason.message, "No.")
    }
  })

  it("distinguishes spending limits from rate limits", () => {
    const spent = [
      limited("Slow down.", { error_code: "enforced_spend_limit_reached" }),
      limited("You have reached your specified API usage limits. You will regain access on 2026-12-01."),
      reasonOf(400, { type: "invalid_request_error", message: "Your credit balance is too low to access the API." }),
      reasonOf(400, { type: "billing_error", message: "Please pay." }),
    ]
    for (const reason of spent) assert.strictEqual(reason._tag, "QuotaExhausted", reason.message)
    const fast = limited("This request would exceed your organization's rate limit of 80,000 input tokens per minute")
    assert.strictEqual(fast._tag, "RateLimited")
  })

  it("maps a request that alone exceeds the limit per minute to ContextOverflow", () => {
    const reason = limited("This request would exceed the rate limit of 40,000 input tokens per minute")
    assert.strictEqual(reason._tag, "ContextOverflow")
  })

  it("parses the delay of the server", () => {
    const reason = reasonOf(429, { type: "rate_limit_error", message: "Slow down." }, { "retry-after": "7" })
    assert.deepStrictEqual(reason._tag === "RateLimited" && reason.retryAfter, Duration.seconds(7))
  })

  it("interprets the message before it redacts a key that is one of its words", () => {
    const body = JSON.stringify({ error: { type: "invalid_request_error", message: "You exceeded your usage limit" } })
    assert.deepInclude(
      toReason(new HttpError(400, body, new Headers()), "exceeded", () => 0),
      {
        _tag: "QuotaExhausted",
        message: "You [key] your usage limit",
      },
    )
  })

  it("recognises a conversation that is too long by the message", () => {
    for (const message of [
      "prompt is too long: 213462 tokens > 200000 maximum",
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    ]) {
      assert.strictEqual(reasonOf(400, { type: "invalid_request_error", message })._tag, "ContextOverflow")
    }
  })

  it("reports an unsupported region", () => {
    assert.strictEqual(reasonOf(403, { type: "forbidden", message: "Request not allowed" })._tag, "Unsupported")
  })

  it("parses the message of an upstream server, and none from an HTML page", () => {
    const inner = JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Busy." } })
    assert.strictEqual(reasonOf(529, { type: "api_error", message: `upstream: ${inner}` }).message, "Busy.")
    assert.strictEqual(reasonOf(502, "Bad gateway").message, "Bad gateway")
    assert.strictEqual(toReason(new HttpError(502, "<html></html>", new Headers()), key, () => 1).message, "HTTP 502")
    assert.strictEqual(reasonOf(500, {}).message, "HTTP 500")
  })

  it("maps an aborted connection to a connection error", () => {
    assert.strictEqual(toReason(new Error("Request timed out."), key, () => 1)._tag, "Unreachable")
  })

  it("redacts keys", () => {
    const { message } = reasonOf(401, { message: `invalid x-api-key: ${key}, or sk-ant-api03-abcdefgh` })
    assert.notInclude(message, key)
    assert.notInclude(message, "abcdefgh")
  })
})

describe("fromStreamError", () => {
  it("maps the error type like its HTTP status", () => {
    for (const [error, tag] of [
      [{ type: "overloaded_error", message: "Overloaded" }, "Overloaded"],
      [{ type: "timeout_error", message: "Timed out" }, "Overloaded"],
      [{ type: "request_too_large" }, "ContextOverflow"],
      [{ type: "rate_limit_error", details: { error_code: "enforced_spend_limit_reached" } }, "QuotaExhausted"],
      ["broken", "Overloaded"],
      [7, "Overloaded"],
    ] as const) {
      assert.strictEqual(fromStreamError(error, key)._tag, tag)
    }
  })
})

describe("alternativeRequest", () => {
  it("drops rejected thinking also where the key is a word of the error", () => {
    const body = JSON.stringify({ error: { type: "invalid_request_error", message: "Invalid `signature` in a block" } })
    const reason = toReason(new HttpError(400, body, new Headers()), "signature", () => 0)
    assert.strictEqual(reason.message, "Invalid `[key]` in a block")
    const request = { system: "", messages: [], tools: [] }
    assert.deepStrictEqual(alternativeRequest(request, "signed", reason), [request, "unsigned"])
  })

  it("drops rejected thinking, once", () => {
    for (const message of [
      "messages.1.content.0: Invalid `signature` in `thinking` block",
      "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified",
    ]) {
      const reason = new InvalidRequest({ message })
      assert.deepStrictEqual(alternativeRequest(hello, "signed", reason), [hello, "unsigned"])
      assert.isUndefined(alternativeRequest(hello, "unsigned", reason))
    }
    assert.isUndefined(alternativeRequest(hello, "signed", new InvalidRequest({ message: "temperature: too high" })))
  })

  it("requests as much output as fits, unless the request has a limit", () => {
    const message = "input length and `max_tokens` exceed context limit: 150000 + 64000 > 200000"
    const reason = new ContextOverflow({ message })
    assert.deepStrictEqual(alternativeRequest(hello, "signed", reason), [
      { ...hello, maxOutputTokens: 50_000 },
      "signed",
    ])
    assert.isUndefined(alternativeRequest({ ...hello, maxOutputTokens: 64_000 }, "signed", reason))
    assert.isUndefined(alternativeRequest(hello, "signed", new ContextOverflow({ message: "prompt is too long" })))
  })
})
