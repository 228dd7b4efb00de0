/** The number of requests to Gemini for one answer, counted at the server. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Either, Fiber, TestClock } from "effect"
import * as Block from "../../../src/message/Block.ts"
import type { ModelError } from "../../../src/model/ModelError.ts"
import type { Reply } from "../../../src/model/Reply.ts"
import * as Gemini from "../../../src/provider/gemini/Gemini.ts"
import { idleTimeout } from "../../../src/provider/transport/attempt.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { some } from "../../thoroughness.ts"
import { asking, hello, withoutWaiting } from "../../utils/Asking.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import { answer, fine, google, options, quota, refusing, retryIn, saying } from "../../utils/Gemini.ts"
import * as Wire from "../../utils/Wire.ts"

const readFile = Tool.fromJsonSchema({
  name: "read_file",
  description: "Reads a file.",
  parameters: { type: "object" },
  run: () => Effect.succeed(""),
})

const request = { ...hello, tools: [readFile] }

const parts = (parts: ReadonlyArray<unknown>, finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts }, ...(finishReason !== undefined && { finishReason }) }],
})

const call = { functionCall: { name: "read_file", args: { path: "a.ts" } } }

const stream = (...chunks: ReadonlyArray<unknown>): FakeServer.Answer => ({ body: FakeServer.events(...chunks) })

const ending = (finishReason: string) => ({ candidates: [{ finishReason }] })

const reasonOf = (result: Either.Either<Reply, ModelError>) =>
  Either.match(result, {
    onLeft: ({ reason }) => reason,
    onRight: ({ blocks }) => assert.fail(`answered ${JSON.stringify(blocks)}`),
  })

const textOf = (result: Either.Either<Reply, ModelError>) =>
  Either.match(result, {
    onLeft: ({ message }) => assert.fail(message),
    onRight: ({ blocks }) => blocks,
  })

type Row = readonly [row: string, what: string, answer: FakeServer.Answer, reason: string]

/** Transient failures: 3 retries, after 2 s, 4 s and 8 s. */
const transient: ReadonlyArray<Row> = [
  ["B3", "words without a finish reason", stream(saying("half")), "StreamIncomplete"],
  ["B4", "an empty answer", { body: "" }, "StreamIncomplete"],
  ["B4", "a page", { body: "<html>\n\n<body>Sign in</body></html>" }, "StreamIncomplete"],
  ["B4", "data: null", { body: "data: null\n\n" }, "StreamIncomplete"],
  ["B5", "a connection that is reset before it is answered", { body: "", ending: "drop" }, "Unreachable"],
  ["B5", "a connection that is reset after the headers", { body: "", ending: "reset" }, "Unreachable"],
  ["B5", "a connection that is reset among the words", { ...stream(saying("half")), ending: "reset" }, "Unreachable"],
  ["B5", "a connection that is reset after a call", { ...stream(parts([call])), ending: "reset" }, "Unreachable"],
  [
    "B7",
    "an error among the words",
    { body: `${FakeServer.events(saying("half"))}data: ${google(503, "Busy.")}\n\n` },
    "Overloaded",
  ],
  [
    "C2",
    "503, overloaded",
    refusing(503, google(503, "The model is overloaded. Please try again later.")),
    "Overloaded",
  ],
  [
    "C2",
    "503, high demand, JSON in JSON",
    refusing(503, google(503, google(503, "This model is currently experiencing high demand."))),
    "Overloaded",
  ],
  ["C1", "429 with a hint", refusing(429, google(429, "Slow down.", [retryIn("2s")])), "RateLimited"],
  ["C1", "429 without one", refusing(429, google(429, "Resource has been exhausted.")), "RateLimited"],
  ["C7", "503 with a date", refusing(503, "", { "retry-after": new Date(0).toUTCString() }), "Overloaded"],
  ["C7", "503 with a hint that is garbage", refusing(503, "", { "retry-after": "-soon" }), "Overloaded"],
  ["C7", "503 with milliseconds", refusing(503, "", { "retry-after-ms": "300" }), "Overloaded"],
  ["C10", "500 without a body", refusing(500, ""), "Overloaded"],
  ["R3", "408", refusing(408, ""), "Overloaded"],
  ["R3", "499", refusing(499, ""), "Overloaded"],
  ["R3", "502", refusing(502, "<html></html>"), "Overloaded"],
  ["R3", "504", refusing(504, google(504, "Deadline exceeded.")), "Overloaded"],
]

/** Unusable answers: immediate retries with a correction, two at most, for a truncated call one. */
const useless: ReadonlyArray<readonly [...Row, hits: number, correction: string]> = [
  ["B10", "MALFORMED_FUNCTION_CALL", stream(ending("MALFORMED_FUNCTION_CALL")), "Unusable", 3, "one JSON object"],
  [
    "B10",
    "MALFORMED_FUNCTION_CALL beside a call",
    stream(parts([call], "MALFORMED_FUNCTION_CALL")),
    "Unusable",
    3,
    "one JSON object",
  ],
  ["B11", "UNEXPECTED_TOOL_CALL", stream(parts([call], "UNEXPECTED_TOOL_CALL")), "Unusable", 3, "are: read_file."],
  ["B11", "TOO_MANY_TOOL_CALLS", stream(parts([call], "TOO_MANY_TOOL_CALLS")), "Unusable", 3, "a few calls"],
  ["B12", "STOP without parts", stream(parts([], "STOP")), "Empty", 3, "was empty"],
  ["B12", "thinking alone", stream(parts([{ text: "hm", thought: true }], "STOP")), "Empty", 3, "was empty"],
  ["B12", "words of no width", stream(parts([{ text: "\u200b \n" }], "STOP")), "Empty", 3, "was empty"],
  ["B15", "a call at the output limit", stream(parts([call], "MAX_TOKENS")), "OutputLimit", 2, "smaller pieces"],
  [
    "B15",
    "half a call at the output limit",
    stream(parts([{ functionCall: { name: "read_file", args: '{"pa' } }], "MAX_TOKENS")),
    "OutputLimit",
    2,
    "smaller pieces",
  ],
]

/** Failures that are not retried. */
const final: ReadonlyArray<Row> = [
  [
    "A3",
    "a key that is refused",
    refusing(400, google(400, "API key not valid.", [{ reason: "API_KEY_INVALID" }])),
    "Unauthorized",
  ],
  ["A4", "an API that is not enabled", refusing(403, google(403, "It is disabled.")), "Unauthorized"],
  ["A5", "a model that is no more", refusing(404, google(404, google(404, "No longer available."))), "ModelNotFound"],
  [
    "A6",
    "a region that is not served",
    refusing(400, JSON.stringify({ error: { code: 400, message: "Not here.", status: "FAILED_PRECONDITION" } })),
    "Unsupported",
  ],
  ["B8", "RECITATION after words", stream(saying("Once upon"), ending("RECITATION")), "Blocked"],
  ["B8", "SAFETY without words", stream(ending("SAFETY")), "Blocked"],
  ["B8", "a blocked prompt", stream({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }), "Blocked"],
  ["B16", "an unknown end without words", stream(ending("NEW_REASON")), "InvalidRequest"],
  ["B16", "an unknown end after a call", stream(parts([call], "NEW_REASON")), "InvalidRequest"],
  ["B15", "thinking up to the output limit", stream(ending("MAX_TOKENS")), "OutputLimit"],
  [
    "C4",
    "a day's quota",
    refusing(429, google(429, "Used up.", [quota("RequestsPerDay"), retryIn("2s")])),
    "QuotaExhausted",
  ],
  [
    "C4",
    "no quota at all",
    refusing(429, google(429, "Quota exceeded, limit: 0\nPlease retry in 45s.", [retryIn("45s")])),
    "QuotaExhausted",
  ],
  ["C5", "a hint of an hour", refusing(429, google(429, "Slow down.", [retryIn("3600s")])), "RateLimited"],
  ["C9", "a wrong request", refusing(400, google(400, "Request contains an invalid argument.")), "InvalidRequest"],
  [
    "F1",
    "a prompt that is too long",
    refusing(400, google(400, "The input token count (9) exceeds the maximum number of tokens allowed (8).")),
    "ContextOverflow",
  ],
]

describe("Gemini: retries, of which the SDK makes none", () => {
  for (const [row, what, bad, reason] of transient) {
    it.scoped(`${row}: sends four requests through ${what}, and no more`, () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([bad])
        const { result, retries } = yield* answer(url)
        assert.strictEqual(reasonOf(result)._tag, reason)
        assert.deepStrictEqual(
          retries.map(({ attempt, delay }) => [attempt, Duration.toSeconds(delay)]),
          [
            [1, 2],
            [2, 4],
            [3, 8],
          ],
        )
        assert.lengthOf(requests, 4)
      }),
    )
  }

  it.scoped("emits only the successful attempt after each of them", () =>
    Effect.gen(function* () {
      for (const [, what, bad] of some(transient)) {
        const { requests, url } = yield* FakeServer.serve([bad, fine])
        const { result } = yield* answer(url)
        assert.deepStrictEqual(textOf(result), [Block.text("fine")], what)
        assert.deepStrictEqual(requests[1]?.body, requests[0]?.body)
        assert.lengthOf(requests, 2)
      }
    }),
  )

  for (const [row, what, bad, reason, hits, correction] of useless) {
    it.scoped(`${row}: sends ${hits} requests, with a correction, where the answer is ${what}`, () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([bad])
        const { result, retries } = yield* answer(url, request)
        assert.strictEqual(reasonOf(result)._tag, reason)
        assert.isTrue(retries.every(({ delay }) => Duration.toMillis(delay) === 0))
        const [first, ...others] = requests.map(({ body }) => JSON.stringify(body))
        assert.notInclude(first, correction)
        assert.lengthOf(others, hits - 1)
        for (const other of others) assert.include(other, correction)
      }),
    )
  }

  it.scoped("returns the successful answer after each of them, with the usage of both", () =>
    Effect.gen(function* () {
      const usageMetadata = { promptTokenCount: 50, candidatesTokenCount: 3, thoughtsTokenCount: 2 }
      const usage = { inputTokens: 100, outputTokens: 10, cachedTokens: 0, thinkingTokens: 4 }
      const good = stream(saying("fine", "STOP"), { usageMetadata })
      for (const [, what, bad] of useless) {
        const costly = { body: `${bad.body}${FakeServer.events({ usageMetadata })}` }
        const { requests, url } = yield* FakeServer.serve([costly, good])
        const { result } = yield* answer(url, request)
        assert.deepInclude(Either.getOrThrow(result), { blocks: [Block.text("fine")], usage }, what)
        assert.lengthOf(requests, 2)
      }
    }),
  )

  it.scoped("includes the usage of a broken attempt", () =>
    Effect.gen(function* () {
      const half = stream(saying("half"), { usageMetadata: { promptTokenCount: 50, candidatesTokenCount: 1 } })
      for (const ending of ["end", "reset"] as const) {
        const { url } = yield* FakeServer.serve([{ ...half, ending }, fine])
        const { result } = yield* answer(url)
        assert.deepInclude(Either.getOrThrow(result).usage, { inputTokens: 50, outputTokens: 1 })
      }
    }),
  )

  for (const [row, what, bad, reason] of final) {
    it.scoped(`${row}: sends one request where the answer is ${what}`, () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([bad])
        const { result, retries } = yield* answer(url)
        assert.strictEqual(reasonOf(result)._tag, reason)
        assert.deepStrictEqual(retries, [])
        assert.lengthOf(requests, 1)
      }),
    )
  }

  it.scoped("reports an HTML page", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve([{ body: "<html></html>" }])
      assert.include(reasonOf((yield* answer(url)).result).message, "a page, not an API response")
    }),
  )

  it.scoped("keeps truncated text, with its finish reason", () =>
    Effect.gen(function* () {
      for (const [wire, finish] of [
        ["MAX_TOKENS", "length"],
        ["NEW_REASON", "error"],
      ] as const) {
        const { requests, url } = yield* FakeServer.serve([stream(saying("Once upon a", wire))])
        const reply = Either.getOrThrow((yield* answer(url)).result)
        assert.deepInclude(reply, { blocks: [Block.text("Once upon a")], finish })
        assert.lengthOf(requests, 1)
      }
    }),
  )

  it.scoped("retries no earlier than the server allows", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([
        refusing(429, google(429, "Slow down.", [retryIn("5s")])),
        fine,
      ])
      const waiting = yield* Deferred.make<void>()
      const observer = { retry: () => Effect.asVoid(Deferred.succeed(waiting, undefined)) }
      const fiber = yield* Effect.fork(Gemini.make(options(url)).generate(hello, observer))
      yield* Deferred.await(waiting)
      yield* TestClock.adjust("4999 millis")
      assert.isNull(fiber.unsafePoll())
      assert.lengthOf(requests, 1)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual((yield* Fiber.join(fiber)).blocks, [Block.text("fine")])
      assert.lengthOf(requests, 2)
    }),
  )

  it.scoped("names the delay", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve([refusing(429, google(429, "Slow down.", [retryIn("3600s")]))])
      const { result } = yield* answer(url)
      const error = Either.getOrThrow(Either.flip(result))
      assert.strictEqual(error.message, "google/gemini-2.5-flash: Slow down.; it says to try again in 1h")
    }),
  )

  for (const [what, silent] of [
    ["instead of an answer", { body: "", ending: "mute" }],
    ["after the headers", { body: "", ending: "hang" }],
    ["within the text", { ...stream(saying("half")), ending: "hang" }],
  ] as const) {
    it.scoped(`treats 90 seconds without data ${what} as a broken connection, closes it and retries`, () =>
      Effect.gen(function* () {
        const server = yield* FakeServer.serve([silent, fine])
        const fiber = yield* Effect.fork(
          withoutWaiting((observer) => Effect.either(Gemini.make(options(server.url)).generate(hello, observer))),
        )
        yield* server.asked
        yield* TestClock.adjust(idleTimeout)
        const { result, retries } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(textOf(result), [Block.text("fine")])
        assert.deepStrictEqual(
          retries.map(({ error }) => error.reason.message),
          ["no data arrived for 1m 30s"],
        )
        yield* server.abandoned
        assert.lengthOf(server.requests, 2)
      }),
    )
  }
})

/** The recorded answer. */
const recorded = (name: string): FakeServer.Answer => {
  const { response } = Wire.fixture("gemini", name).exchanges[0] ?? assert.fail(`${name} has no exchange`)
  return {
    status: response.status,
    body: response.body,
    headers: { "content-type": response.headers["content-type"] ?? "" },
  }
}

describe.skipIf(!Wire.isPresent)("Gemini: retries of recorded failures", () => {
  for (const [row, name, reason, hits] of [
    ["A3", "firebase/googleai-unary-failure-api-key", "Unauthorized", 1],
    ["A3", "firebase/vertex-streaming-failure-api-key", "Unauthorized", 1],
    ["A5", "js-genai/Chats_Tests_sendMessage_Send_message_stream_with_error", "ModelNotFound", 1],
    ["A6", "firebase/vertex-unary-failure-unsupported-user-location", "Unsupported", 1],
    ["B8", "firebase/googleai-streaming-failure-prompt-blocked-safety", "Blocked", 1],
    ["B8", "firebase/vertex-streaming-failure-finish-reason-safety", "Blocked", 1],
    ["B8", "firebase/vertex-streaming-failure-recitation-no-content", "Blocked", 1],
    ["B10", "issues/200-malformed-function-call-empty", "Unusable", 3],
    ["B12", "issues/200-stop-without-parts", "Empty", 3],
    ["C1", "vercel-ai/google-429-retry-info", "RateLimited", 4],
    ["C1", "issues/429-nested-no-details", "RateLimited", 4],
    ["C3", "issues/503-overloaded", "Overloaded", 4],
    ["C3", "issues/503-overloaded-nested", "Overloaded", 4],
    ["C9", "issues/400-schema-items-missing", "InvalidRequest", 1],
    ["C9", "firebase/googleai-streaming-failure-image-rejected", "InvalidRequest", 1],
    ["E3", "issues/400-missing-thought-signature", "InvalidRequest", 2],
    ["F1", "issues/400-input-token-count-nested", "ContextOverflow", 1],
  ] as const) {
    it.scoped(`${row}: sends ${hits} request(s) after ${name}`, () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([recorded(name)])
        const { result } = yield* answer(url, asking("hello"))
        const { _tag, message } = reasonOf(result)
        assert.strictEqual(_tag, reason)
        assert.notMatch(message, /[{}]/)
        assert.lengthOf(requests, hits)
      }),
    )
  }
})
