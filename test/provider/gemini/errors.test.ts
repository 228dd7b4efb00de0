import { assert, describe, it } from "@effect/vitest"
import { ApiError } from "@google/genai"
import { Duration } from "effect"
import { alternativeForm, toReason as reasonFor } from "../../../src/provider/gemini/errors.ts"
import { redactKey } from "../../../src/provider/transport/errors.ts"
import { HttpError, UnreadableBody } from "../../../src/provider/transport/http.ts"
import { retryIn } from "../../utils/Gemini.ts"

const key = "AQ.test-key-1234"

/** For a request of some tokens. */
const toReason = (cause: unknown, key: string, tokens = 100) => reasonFor(cause, key, tokens)

const reasonOf = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  toReason(new HttpError(status, typeof body === "string" ? body : JSON.stringify(body), new Headers(headers)), key)

const google = (code: number, message: string, details: ReadonlyArray<unknown> = []) => ({
  error: { code, message, status: "SOME_STATUS", details },
})

const quota = (quotaId: string, quotaValue = "10") => ({
  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
  violations: [{ quotaId, quotaValue }],
})

/** In milliseconds. */
const waitOf = (reason: ReturnType<typeof toReason>) =>
  "retryAfter" in reason && reason.retryAfter !== undefined ? Duration.toMillis(reason.retryAfter) : undefined

describe("toReason: status", () => {
  for (const [status, tag] of [
    [400, "InvalidRequest"],
    [401, "Unauthorized"],
    [402, "InvalidRequest"],
    [403, "Unauthorized"],
    [404, "ModelNotFound"],
    [408, "Overloaded"],
    [413, "ContextOverflow"],
    [429, "RateLimited"],
    [499, "Overloaded"],
    [500, "Overloaded"],
    [503, "Overloaded"],
    [504, "Overloaded"],
  ] as const) {
    it(`maps ${status} to ${tag}, with the provider's message`, () => {
      const reason = reasonOf(status, google(status, "In so many\n words."))
      assert.deepStrictEqual([reason._tag, reason.message], [tag, "In so many words."])
    })
  }

  it("recognises a rejected key by reason or message, despite status 400", () => {
    const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }
    assert.strictEqual(reasonOf(400, google(400, "No.", [info]))._tag, "Unauthorized")
    assert.strictEqual(reasonOf(400, google(400, "API key not valid. Please pass one."))._tag, "Unauthorized")
  })

  for (const message of [
    "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).",
    "Unable to submit request because the input token count is 1053812 but model only supports up to 1048576.",
    "Request payload size exceeds the limit: 20971520 bytes.",
  ]) {
    it(`recognises a prompt that is too long: ${message}`, () => {
      assert.strictEqual(reasonOf(400, google(400, message))._tag, "ContextOverflow")
    })
  }

  it("distinguishes an unsupported region or plan from an invalid request", () => {
    const error = { code: 400, message: "User location is not supported.", status: "FAILED_PRECONDITION" }
    assert.deepInclude(reasonOf(400, { error }), { _tag: "Unsupported", message: "User location is not supported." })
    const nested = { error: { code: 400, message: JSON.stringify({ error }), status: "Bad Request" } }
    assert.strictEqual(reasonOf(400, nested)._tag, "Unsupported")
  })

  it("includes a link, from the message or the details", () => {
    const links = [{ description: "Enable it", url: "https://console.example/enable" }]
    const help = { "@type": "type.googleapis.com/google.rpc.Help", links }
    const worded = "It is disabled. Enable it by visiting https://console.example/enable?project=7 then retry."
    assert.strictEqual(reasonOf(403, google(403, worded, [help])).message, worded)
    assert.deepInclude(reasonOf(403, google(403, "It is disabled.", [help])), {
      _tag: "Unauthorized",
      message: "It is disabled. https://console.example/enable",
    })
  })
})

describe("toReason: body", () => {
  it("finds the message in nested JSON, and the details at any depth", () => {
    const inner = JSON.stringify(google(429, "Slow down.", [retryIn("7s")]), null, 2)
    const outer = google(429, JSON.stringify(google(429, inner)))
    const reason = reasonOf(429, outer)
    assert.deepStrictEqual([reason.message, waitOf(reason)], ["Slow down.", 7000])
  })

  it("reads the one error of an array", () => {
    assert.strictEqual(reasonOf(400, [google(400, "items: missing field.")]).message, "items: missing field.")
  })

  it("parses what the SDK throws for an error within a stream", () => {
    const message = `got status: UNAVAILABLE. ${JSON.stringify(google(503, "The model is overloaded."))}`
    const reason = toReason(new ApiError({ status: 503, message }), key)
    assert.deepStrictEqual([reason._tag, reason.message], ["Overloaded", "The model is overloaded."])
  })

  it("shows the status where the body is empty or an HTML page", () => {
    assert.strictEqual(reasonOf(502, "").message, "HTTP 502")
    assert.strictEqual(reasonOf(502, "<html><body>Bad gateway</body></html>").message, "HTTP 502")
  })

  it("shows plain text, truncated", () => {
    assert.strictEqual(reasonOf(500, "upstream {went} away").message, "upstream {went} away")
    assert.lengthOf(reasonOf(500, "x".repeat(5000)).message, 1001)
  })
})

describe("toReason: quotas", () => {
  for (const [what, message, details] of [
    [
      "a limit per day",
      "You exceeded your current quota.",
      [quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier")],
    ],
    [
      "a limit per day beside one per minute",
      "You exceeded your current quota.",
      [quota("GenerateRequestsPerMinutePerProjectPerModel"), quota("GenerateRequestsPerDayPerProjectPerModel")],
    ],
    ["a limit of zero", "Quota exceeded for metric: requests, limit: 0\nPlease retry in 45.5s.", [retryIn("45s")]],
    ["a quota of zero", "Quota exceeded.", [quota("GenerateRequestsPerMinutePerProjectPerModel", "0")]],
    ["a daily quota in the message", "You have exhausted your daily quota on this model.", []],
    [
      "Vertex's limit per day",
      "Quota exceeded.",
      [{ reason: "RATE_LIMIT_EXCEEDED", metadata: { quota_limit: "RequestsPerDay", consumer: "projects/1" } }],
    ],
  ] as const) {
    it(`maps ${what} to QuotaExhausted`, () => {
      assert.strictEqual(reasonOf(429, google(429, message, details))._tag, "QuotaExhausted")
    })
  }

  for (const [what, message, details, wait] of [
    ["for the delay of RetryInfo", "Slow down.", [quota("RequestsPerMinute"), retryIn("34.4s")], 34_400],
    ["milliseconds", "Slow down.", [retryIn("900ms")], 900],
    ["for the delay in the message", "Slow down, limit: 10. Please retry in 45.578569677s.", [], 45_578.569677],
    ["for hours, as in the message", "Please try again in 16h13m42s.", [], 58_422_000],
    ["a minute for a limit per minute without a delay", "Slow down.", [quota("TokensPerMinute")], 60_000],
    ["by the retry policy without a delay", "Resource has been exhausted (e.g. check quota).", [], undefined],
    ["by the retry policy for an invalid delay", "Slow down.", [retryIn("-5s"), retryIn("soon")], undefined],
  ] as const) {
    it(`waits ${what}`, () => {
      const reason = reasonOf(429, google(429, message, details))
      assert.strictEqual(reason._tag, "RateLimited")
      assert.strictEqual(waitOf(reason), wait)
    })
  }

  it("recognises a request that alone exceeds the limit per minute", () => {
    const body = google(429, "Slow down.", [
      quota("GenerateContentPaidTierInputTokensPerModelPerMinute", "250000"),
      retryIn("41s"),
    ])
    const cause = new HttpError(429, JSON.stringify(body), new Headers())
    assert.deepInclude(toReason(cause, key, 250_001), { _tag: "ContextOverflow", message: "Slow down." })
    assert.strictEqual(toReason(cause, key, 250_000)._tag, "RateLimited")
    const requests = new HttpError(429, JSON.stringify(google(429, "No.", [quota("RequestsPerMinute")])), new Headers())
    assert.strictEqual(toReason(requests, key, 250_001)._tag, "RateLimited")
  })

  it("prefers milliseconds in the header to seconds", () => {
    const wait = (headers: Record<string, string>) => waitOf(reasonOf(503, google(503, "Busy."), headers))
    assert.strictEqual(wait({ "retry-after-ms": "1500", "retry-after": "9" }), 1500)
    assert.strictEqual(wait({ "retry-after-ms": "soon", "retry-after": "9" }), 9000)
    assert.strictEqual(wait({ "retry-after-ms": "-1" }), undefined)
  })

  for (const [header, date, wait] of [
    ["7", undefined, 7000],
    ["0.5", undefined, 500],
    ["Tue, 29 Oct 2026 16:56:32 GMT", "Tue, 29 Oct 2026 16:56:02 GMT", 30_000],
    ["Tue, 29 Oct 2026 16:56:32 GMT", undefined, undefined],
    ["Tue, 29 Oct 2026 16:56:32 GMT", "Tue, 29 Oct 2026 16:57:02 GMT", undefined],
    ["-3", undefined, undefined],
    ["soon", undefined, undefined],
    ["4, 9", undefined, 4000],
    ["1m30s", undefined, 90_000],
    ["250ms", undefined, 250],
    ["-5s", undefined, undefined],
    ["99999999999999999999", undefined, undefined],
  ] as const) {
    it(`parses Retry-After: ${header}${date === undefined ? "" : ` at ${date}`}`, () => {
      const headers = { "retry-after": header, ...(date !== undefined && { date }) }
      assert.strictEqual(waitOf(reasonOf(503, google(503, "Busy."), headers)), wait)
    })
  }

  it("prefers the delay of the body to that of the header", () => {
    assert.strictEqual(waitOf(reasonOf(429, google(429, "Slow.", [retryIn("5s")]), { "retry-after": "9" })), 5000)
  })
})

describe("toReason: no status", () => {
  const failed = (cause: Error) => new TypeError("fetch failed", { cause })
  const coded = (code: string, message = "", cause?: Error) => Object.assign(new Error(message, { cause }), { code })

  it("finds a network error among the causes, and reports the innermost", () => {
    const reason = toReason(failed(coded("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1")), key)
    assert.deepStrictEqual(
      [reason._tag, reason.message],
      ["Unreachable", "no connection: connect ECONNREFUSED 127.0.0.1:1"],
    )
    const deep = new Error("a", { cause: new Error("b", { cause: new Error("c", { cause: coded("ETIMEDOUT") }) }) })
    assert.strictEqual(toReason(deep, key).message, "no connection: ETIMEDOUT")
    const blocked = toReason(new TypeError("fetch failed", { cause: new Error("bad port") }), key)
    assert.deepStrictEqual(
      [blocked._tag, blocked.message],
      ["Misconfigured", "its port is one that HTTP clients do not ask: let the server listen on another"],
    )
  })

  it("maps all forms of connection errors to Unreachable", () => {
    for (const cause of [
      failed(coded("EAI_AGAIN")),
      failed(coded("UND_ERR_SOCKET", "other side closed")),
      new TypeError("terminated"),
      coded("EPIPE"),
      coded("ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC"),
    ]) {
      assert.strictEqual(toReason(cause, key)._tag, "Unreachable", String(cause))
    }
  })

  it("maps an unreadable body to StreamIncomplete", () => {
    for (const cause of [new SyntaxError("Unexpected end of JSON input"), new UnreadableBody("<html>")]) {
      assert.strictEqual(toReason(cause, key)._tag, "StreamIncomplete", String(cause))
    }
  })

  it("distinguishes an invalid address or model name from an invalid request", () => {
    assert.strictEqual(toReason(coded("ERR_INVALID_URL", "Invalid URL"), key)._tag, "Misconfigured")
    assert.strictEqual(toReason(new Error("invalid model parameter"), key)._tag, "ModelNotFound")
    assert.strictEqual(toReason("whatever", key)._tag, "InvalidRequest")
  })
})

describe("redactKey", () => {
  it("redacts the key, plain or in a URL", () => {
    const secret = "a key/with=signs"
    assert.strictEqual(
      redactKey(`sent ${secret} to /?x=${encodeURIComponent(secret)}`, secret),
      "sent [key] to /?x=[key]",
    )
  })

  it("redacts what looks like another key", () => {
    const text = 'GET /v1?key=abc&alt=sse "x-goog-api-key": "abc", Authorization: Bearer abc; AIzaSyD-abc_12345 failed'
    const struck = redactKey(text, "")
    assert.notInclude(struck, "abc")
    assert.include(struck, "alt=sse")
    assert.include(struck, "failed")
  })

  it.each([
    ['{"authorization": "Bearer zzz"}', '{"authorization": "[key]"}'],
    [String.raw`"{\"Authorization\":\"Basic zzz\"}"`, String.raw`"{\"Authorization\":\"[key]\"}"`],
    ["Authorization: Basic dXNlcjpwdw==, no", "Authorization: [key], no"],
    [String.raw`"/v1?a=b&api_key=zzz\nno"`, String.raw`"/v1?a=b&api_key=[key]\nno"`],
    ["sk-0123456789abcdef", "[key]"],
  ])("redacts the credential in %s, and nothing else", (text, struck) => {
    assert.strictEqual(redactKey(text, ""), struck)
  })

  it("redacts the password in an address", () => {
    assert.strictEqual(redactKey("no https://me:secret@proxy.example/v1", ""), "no https://[key]@proxy.example/v1")
  })

  it("leaves no half of a key where a long text is truncated", () => {
    for (const at of [985, 990, 999]) {
      const { message } = toReason(new HttpError(400, `${"x".repeat(at)} ${key}`, new Headers()), key)
      assert.notInclude(message, key.slice(0, 4))
    }
  })

  it("leaves other text unchanged", () => {
    for (const text of [
      "The monkey=animal rule: a key is missing",
      String.raw`{"code":"<li key=\"b\">two</li>"}`,
      "sk-fading-circle, in disk-0001-of-0002",
    ]) {
      assert.strictEqual(redactKey(text, ""), text)
    }
  })

  it("applies to every kind of failure", () => {
    for (const cause of [
      new HttpError(400, JSON.stringify(google(400, `bad header ${key}`)), new Headers()),
      new HttpError(429, JSON.stringify(google(429, `per day ${key}`)), new Headers()),
      new TypeError("fetch failed", { cause: new Error(`connect ${key}`) }),
      new SyntaxError(`Unexpected token ${key}`),
      new Error(key),
    ]) {
      const { message } = toReason(cause, key)
      assert.notInclude(message, key)
      assert.include(message, "[key]")
    }
  })
})

describe("alternativeForm", () => {
  for (const [message, form] of [
    ["Function call is missing a thought_signature in functionCall parts.", "unsigned"],
    ["Corrupted thought signature.", "unsigned"],
    [
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      "asText",
    ],
    ["Please ensure that function call turn comes immediately after a user turn.", "asText"],
    ["Please ensure that function response turn comes immediately after a function call turn.", "asText"],
    ["Request contains an invalid argument.", undefined],
  ] as const) {
    it(`is ${form} after: ${message}`, () => {
      assert.strictEqual(alternativeForm(reasonOf(400, google(400, message))), form)
    })
  }

  it("is the same where the key is a word of the error", () => {
    const body = JSON.stringify(google(400, "Function call is missing a thought_signature."))
    const reason = toReason(new HttpError(400, body, new Headers()), "signature")
    assert.strictEqual(reason.message, "Function call is missing a thought_[key].")
    assert.strictEqual(alternativeForm(reason), "unsigned")
  })

  it("is undefined for failures of the provider itself", () => {
    assert.isUndefined(alternativeForm(reasonOf(500, google(500, "thought signature service is down"))))
  })
})
