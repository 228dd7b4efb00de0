import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Misconfigured } from "../../../src/model/ModelError.ts"
import * as AnthropicErrors from "../../../src/provider/anthropic/errors.ts"
import * as GeminiErrors from "../../../src/provider/gemini/errors.ts"
import * as OllamaErrors from "../../../src/provider/ollama/errors.ts"
import * as OpenAiErrors from "../../../src/provider/shared/openAiErrors.ts"
import * as Errors from "../../../src/provider/transport/errors.ts"
import { HttpError, RequestNotSent } from "../../../src/provider/transport/http.ts"

const key = "test-key-0123456789"

const reasonOf = (cause: unknown, secret = key) =>
  Errors.toReason(cause, secret, ({ body, retryAfter, status }, said) =>
    Errors.reasonForStatus(status, body, { message: said(body), retryAfter }),
  )

describe("an error response", () => {
  it("is read however deeply its JSON is nested", () => {
    const nested = (name: string) => `${`{"${name}":`.repeat(50_000)}"why"${"}".repeat(50_000)}`
    for (const body of [nested("error"), nested("message"), "[".repeat(50_000), `[${nested("detail")}]`]) {
      const error = new HttpError(400, body, new Headers())
      for (const reason of [
        OpenAiErrors.toReason(error, "key"),
        AnthropicErrors.toReason(error, "key", () => 0),
        GeminiErrors.toReason(error, "key", 0),
        OllamaErrors.toReason(error, { model: "m", url: "http://127.0.0.1", key: "key" }),
      ]) {
        assert.strictEqual(reason._tag, "InvalidRequest")
      }
    }
  })
})

describe("isOverflow", () => {
  it.each([
    ["Google", "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."],
    [
      "Google's Vertex AI",
      "Unable to submit request because the input token count is 40000 but model only supports up to 32767.",
    ],
    ["Anthropic", "prompt is too long: 213462 tokens > 200000 maximum"],
    ["Anthropic, with the output limit", "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000"],
    ["OpenAI", "Your input exceeds the context window of this model. Please adjust your input and try again."],
    [
      "OpenAI's Chat Completions",
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
    ],
    ["OpenRouter", "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens"],
    ["Groq", "Please reduce the length of the messages or completion."],
    ["llama.cpp", "the request exceeds the available context size, try increasing it"],
    ["LM Studio", "The number of tokens to keep from the initial prompt is greater than the context length."],
    ["vLLM", "The decoder prompt (length 9000) is longer than the maximum model length of 8192."],
    ["Ollama", "the input length exceeds the context length"],
    ["Ollama's cloud", "prompt too long; exceeded max context length by 12 tokens"],
    ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    [
      "Mistral",
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    ],
    ["Perplexity", "too_many_prompt_tokens"],
    [
      "LM Studio, for a loaded model",
      "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    ],
    ["SGLang", "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
    [
      "TGI",
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`",
    ],
    ["Moonshot", "Invalid request: Your request exceeded model token limit: 131072"],
    ["MiniMax", "invalid params, context window exceeds limit (2013)"],
    ["Z.ai", "Prompt exceeds max length"],
    ["Alibaba", "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]"],
    ["Bedrock", "Input is too long for requested model."],
    ["llama.cpp, as its server sends it", "Context size has been exceeded."],
    ["oMLX", "Prompt has 9000 tokens which exceeds the max context window of 4096 tokens"],
    ["Cohere", "too many tokens: size limit exceeded by 2000 tokens. Try using shorter or fewer inputs."],
    ["SGLang, for a sequence", "The sequence length of the messages (9000) exceeds the model's context 8192"],
    ["Together", "`inputs` must have less than 8192 tokens. Given: 9000"],
    ["a gateway", "The prompt is too large: 9000 tokens exceed the context window of 8192"],
    ["Ollama, whose template found the prompt cut", "no user query found in messages"],
    ["llama-cpp-python", "Requested tokens (9000) exceed context window of 8192"],
    ["LiteLLM", "litellm.ContextWindowExceededError: BadRequestError: OpenAIException - the request was refused"],
    ["a server with MLX", "Context length exceeded: the prompt has 9000 tokens"],
    ["Copilot", "prompt token count of 140000 exceeds the limit of 128000"],
  ])("recognises the message of %s", (_, message) => {
    assert.isTrue(Errors.isOverflow(message))
    for (const status of [400, 500]) {
      assert.strictEqual(reasonOf(new HttpError(status, message, new Headers()))._tag, "ContextOverflow")
    }
  })

  it.each([
    "Rate limit reached for tokens per minute: limit 30000, used 29000",
    "max_tokens must be at most 8192",
    "the context of this call is missing",
    "the request exceeds the maximum number of images",
    "too many tokens per minute: wait a moment",
  ])("does not match: %s", (message) => {
    assert.isFalse(Errors.isOverflow(message))
  })
})

describe("toSingleLine", () => {
  it.each([
    ["<html>\nBad gateway</html>", ""],
    [" <!DOCTYPE html><html></html>", ""],
    ['<?xml version="1.0"?><Error/>', ""],
    ["<400> InternalError.Algo:\n  No.", "<400> InternalError.Algo: No."],
    ["upstream\n  busy ", "upstream busy"],
    ["", ""],
  ])("converts %j to the line %j", (text, line) => {
    assert.strictEqual(Errors.toSingleLine(text), line)
  })
})

describe("toReason", () => {
  it("finds an error response, or why a request was not sent, among the causes of an SDK's error", () => {
    const behind = (cause: unknown) => new Error("Connection error.", { cause: new Error("oops", { cause }) })
    const busy = reasonOf(behind(new HttpError(429, "slow down", new Headers({ "retry-after": "7" }))))
    assert.strictEqual(busy._tag, "RateLimited")
    const reason = new Misconfigured({ message: "not in the recording" })
    assert.strictEqual(reasonOf(behind(new RequestNotSent(reason))), reason)
  })

  it.each([
    ["404 page not found", 404],
    ["<html><h1>404</h1></html>", 404],
    ['{"detail":"Not Found"}', 404],
    ["Not Found", 404],
    ["", 404],
    ["Cannot POST /chat/completions", 404],
    ["Method Not Allowed", 405],
  ])("names the address of a path that the server does not have: %j", (body, status) => {
    const at = (address: string) => OpenAiErrors.toReason(new HttpError(status, body, new Headers(), address), key)
    const reason = at("http://127.0.0.1:1234/chat/completions")
    assert.strictEqual(reason._tag, "Misconfigured")
    assert.match(reason.message, /^http:\/\/127\.0\.0\.1:1234\/chat\/completions is no .*: most addresses end in \/v1$/)
    assert.match(at("https://x.org/v1/responses").message, /^https:\/\/x\.org\/v1\/responses is no .* right\?$/)
  })

  it.each([
    "The model `x` does not exist",
    "No endpoints found for x/y.",
    "models/x is not found for API version v1beta",
    "The API deployment for this resource does not exist",
    "Requested entity was not found.",
  ])("does not doubt the address where a model is missing: %s", (message) => {
    const response = new HttpError(404, JSON.stringify({ error: { message } }), new Headers(), "https://x.org/v1")
    assert.strictEqual(OpenAiErrors.toReason(response, key)._tag, "ModelNotFound")
  })

  for (const body of [
    '{"error":"invalid JSON schema in format"}',
    "Failed to initialize samplers: failed to parse grammar",
  ]) {
    it(`is not retryable where the server cannot compile a schema: ${body}`, () => {
      assert.strictEqual(reasonOf(new HttpError(500, body, new Headers()))._tag, "InvalidRequest")
    })
  }

  it("redacts the key before it truncates a long message", () => {
    const body = `${"x".repeat(990)} test-key-0123456789 sk-ant-0123456789 gsk_0123456789 ${"y".repeat(99)}`
    const { message } = reasonOf(new HttpError(400, body, new Headers()))
    assert.notMatch(message, /test-key|sk-ant|gsk_/)
    assert.isAtMost(message.length, 1001)
  })
})

describe("toReason: a message that contains the key", () => {
  const messageOf = (body: string, key?: string) => reasonOf(new HttpError(400, body, new Headers()), key).message

  it.each([
    ["zero-width characters", Array.from(key).join("\u200b")],
    ["an escape sequence", `test-\u001b[1mkey-\u001b[0m0123456789`],
    ["a terminal's title", `test-key-\u001b]0;title\u00070123456789`],
    ["a right-to-left mark", `test\u202e-key-0123456789`],
  ])("redacts it with %s inside", (_, split) => {
    assert.strictEqual(messageOf(`Wrong: ${split}!`), "Wrong: [key]!")
  })

  it("redacts the key in base64, escaped, and split by a line break, wherever the halves are", () => {
    const key = "sk-proj-Zq8Xv3L0mN0pQr1sT2uV"
    const base64 = Buffer.from(`Bearer ${key}`).toString("base64")
    const escaped = key.replaceAll("-", "\\u002d")
    for (const form of [
      base64,
      escaped,
      `${key.slice(0, 15)}\n${key.slice(15)}`,
      `${key.slice(0, 22)} ${key.slice(22)}`,
    ]) {
      const text = Errors.redactKey(`Incorrect API key provided: ${form}`, key)
      assert.match(text, /^Incorrect API key provided: \S{0,12}\[key\]$/)
    }
  })

  it("redacts what looks like a key with an escape sequence inside", () => {
    assert.strictEqual(messageOf("Wrong: sk-\u001b[1m0123456789abcdef!"), "Wrong: [key]!")
  })

  it.each(["k", "key", "token", "1234567"])("leaves words unchanged that are shorter than a key: %s", (short) => {
    assert.strictEqual(messageOf("API key not valid: token 1234567", short), "API key not valid: token 1234567")
  })
})

describe("toReason: a key that is a word of the message", () => {
  it.each([
    ["messages", 400, "Please reduce the length of the messages.", "ContextOverflow"],
    ["available", 400, "the request exceeds the available context size", "ContextOverflow"],
    ["token", 400, "prompt token count of 9 exceeds the limit of 8", "ContextOverflow"],
    ["samplers", 500, "Failed to initialize samplers", "InvalidRequest"],
  ] as const)("interprets the message before it redacts the key '%s' (%i)", (key, status, body, tag) => {
    assert.strictEqual(reasonOf(new HttpError(status, body, new Headers()), key)._tag, tag)
  })

  it("stores the original message beside the reason, not in it", () => {
    const reason = reasonOf(new HttpError(400, "bad thought_signature", new Headers()), "signature")
    assert.strictEqual(reason.message, "bad thought_[key]")
    assert.strictEqual(Errors.originalMessage(reason), "bad thought_signature")
    assert.notInclude(inspect(reason, { depth: 9, showHidden: true }), "thought_signature")
    assert.strictEqual(Errors.originalMessage(new Misconfigured({ message: "made elsewhere" })), "made elsewhere")
  })
})
