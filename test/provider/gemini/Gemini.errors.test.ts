import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Queue, Stream, TestClock } from "effect"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import type * as LanguageModel from "../../../src/model/LanguageModel.ts"
import type { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Gemini from "../../../src/provider/gemini/Gemini.ts"
import { hello, key } from "../../utils/Asking.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import { failure, fine, google, heard, options, parts, refusing, saying } from "../../utils/Gemini.ts"
import * as Pieces from "../../utils/Pieces.ts"

describe("Gemini: a request that fails", () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.4s" }]

  it.scoped("reads the delay from the body, or from the header", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve([
        refusing(429, google(429, "Slow down.", details)),
        refusing(503, google(503, "Busy."), { "retry-after": "7" }),
      ])
      assert.deepInclude(yield* failure(url), {
        _tag: "RateLimited",
        message: "Slow down.",
        retryAfter: Duration.seconds(34.4),
      })
      assert.deepInclude(yield* failure(url), { _tag: "Overloaded", retryAfter: Duration.seconds(7) })
    }),
  )

  it.scoped("reports a missing model, though the error body claims to be a stream", () =>
    Effect.gen(function* () {
      const body = google(404, google(404, "models/gemini-2.5-flash is no longer available to new users."))
      const { url } = yield* FakeServer.serve([{ status: 404, body }])
      assert.deepInclude(yield* failure(url), {
        _tag: "ModelNotFound",
        message: "models/gemini-2.5-flash is no longer available to new users.",
      })
    }),
  )

  for (const [what, answer, tag] of [
    ["an error without a body", refusing(500, ""), "Overloaded"],
    [
      "an error in the stream",
      { body: `${FakeServer.events(saying("a"))}data: ${google(503, "Busy.")}\n\n` },
      "Overloaded",
    ],
    [
      "a bare error in the stream",
      { body: `${FakeServer.events(saying("a"))}${google(499, "Cancelled.")}` },
      "Overloaded",
    ],
    ["an end without a finish reason", { body: FakeServer.events(saying("a")) }, "StreamIncomplete"],
    ["an empty answer", { body: "" }, "StreamIncomplete"],
    ["data: null", { body: "data: null\n\n" }, "StreamIncomplete"],
    ["data that is not JSON", { body: "data: {oops\n\n" }, "StreamIncomplete"],
    [
      "an HTML page",
      { body: "<html>\n\n<body>Sign in</body></html>", headers: { "content-type": "text/html" } },
      "StreamIncomplete",
    ],
    ["a connection that is reset before an answer", { body: "", ending: "reset" }, "Unreachable"],
    [
      "a connection that is reset within an answer",
      { body: FakeServer.events(saying("a")), ending: "reset" },
      "Unreachable",
    ],
  ] as const satisfies ReadonlyArray<readonly [string, FakeServer.Answer, string]>) {
    it.scoped(`maps ${what}, truncated anywhere, to ${tag}`, () =>
      Effect.gen(function* () {
        const { requests, url } = yield* FakeServer.serve([answer])
        yield* Pieces.cut(() => 9)
        assert.strictEqual((yield* failure(url))._tag, tag)
        assert.lengthOf(requests, 1)
      }),
    )
  }

  it.scoped("maps an error event by its status or code", () =>
    Effect.gen(function* () {
      for (const [error, tag] of [
        [{ code: 503, message: "No." }, "Overloaded"],
        [{ code: "429", message: "No." }, "RateLimited"],
        [{ message: "No.", status: "UNAVAILABLE" }, "Overloaded"],
        [{ code: 16, message: "No.", status: "UNAUTHENTICATED" }, "Unauthorized"],
        [{ message: "No.", status: "INVALID_ARGUMENT" }, "InvalidRequest"],
        [{ message: "No." }, "Overloaded"],
      ] as const) {
        const { url } = yield* FakeServer.serve([{ body: FakeServer.events(saying("a"), { error }) }])
        const reason = yield* failure(url)
        assert.deepStrictEqual([reason._tag, reason.message], [tag, "No."])
      }
      const { url } = yield* FakeServer.serve([{ body: FakeServer.events({ error: {} }, saying("fine", "STOP")) }])
      assert.include(JSON.stringify(yield* parts(url)), "fine")
    }),
  )

  it.effect("reports a refused connection", () =>
    Effect.gen(function* () {
      const url = yield* Effect.scoped(Effect.map(FakeServer.serve([fine]), ({ url }) => url))
      const reason = yield* failure(url)
      assert.strictEqual(reason._tag, "Unreachable")
      assert.include(reason.message, "ECONNREFUSED")
    }),
  )

  it.effect("reports an invalid address", () =>
    Effect.map(failure("not an address"), (reason) => assert.strictEqual(reason._tag, "Misconfigured")),
  )

  it.scoped("redacts a key that the server repeats", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve(({ headers }) =>
        refusing(400, google(400, `bad header ${headers["x-goog-api-key"]} for /?key=${key}`)),
      )
      const error = yield* Effect.flip(Gemini.make(options(url)).generate(hello))
      assert.strictEqual(error.message, "google/gemini-2.5-flash: bad header [key] for /?key=[key]")
      assert.notInclude(JSON.stringify(error), key)
    }),
  )
})

describe("Gemini: signatures", () => {
  const call = Block.toolUse("call_0", "read_file", {}, { google: { thoughtSignature: "c2ln", id: "fc-1" } })
  const history: Request = {
    ...hello,
    messages: [Message.user("hello"), { role: "assistant", content: [call] }, Message.toolResult(call, "ok", false)],
  }
  const corrupted = refusing(400, google(400, "Corrupted thought signature."))

  it.scoped("repeats a request rejected for them once, without them", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([corrupted, fine])
      assert.deepStrictEqual((yield* parts(url, history))[0], heard("fine"))
      const [first, second] = requests.map(({ body }) => JSON.stringify(body))
      assert.include(first, '"thoughtSignature":"c2ln"')
      assert.include(second, '"thoughtSignature":"skip_thought_signature_validator"')
      assert.notInclude(second, "c2ln")
    }),
  )

  it.scoped("repeats it without them where the key is a word of the error", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([corrupted, fine])
      const { blocks } = yield* Gemini.make(options(url, "signature")).generate(history)
      assert.deepInclude(blocks[0], { type: "text", text: "fine" })
      assert.lengthOf(requests, 2)
    }),
  )

  it.scoped("fails with the provider's message where that does not help", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* FakeServer.serve([corrupted])
      assert.deepInclude(yield* failure(url, history), {
        _tag: "InvalidRequest",
        message: "Corrupted thought signature.",
      })
      assert.lengthOf(requests, 2)
    }),
  )
})

describe("Gemini: timeouts and cancellation", () => {
  const hanging: FakeServer.Answer = { body: FakeServer.events(saying("so far")), ending: "hang" }

  it.scopedLive("closes the connection within a second of an interruption", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve([hanging])
      const words = yield* Queue.unbounded<Part>()
      const fiber = yield* Effect.fork(
        Gemini.make(options(server.url)).generate(hello, { part: (part) => Queue.offer(words, part) }),
      )
      assert.deepStrictEqual(yield* Queue.take(words), heard("so far"))
      const exit = yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.isInterrupted(exit))
      yield* server.abandoned
    }),
  )

  it.scopedLive("closes the connection to a server that has not answered at all", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve([{ body: "", ending: "mute" }])
      const fiber = yield* Effect.fork(Gemini.make(options(server.url)).generate(hello))
      yield* server.asked
      yield* Fiber.interrupt(fiber)
      yield* server.abandoned
    }),
  )

  it.scopedLive("closes the connection when the consumer stops", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve([hanging])
      yield* Stream.runDrain(Stream.take(Gemini.make(options(server.url)).stream(hello), 1))
      yield* server.abandoned
    }),
  )

  it.scoped("treats 90 seconds without data as a broken stream, and closes it", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve([hanging])
      const words = yield* Queue.unbounded<Part>()
      const attempt = Gemini.attempt(options(server.url))(hello, (parts) => Queue.offerAll(words, parts))
      const fiber = yield* Effect.fork(Effect.flip(attempt))
      yield* Queue.take(words)
      yield* TestClock.adjust("89999 millis")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 millis")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.reason._tag, "StreamIncomplete")
      assert.isTrue(error.isRetryable)
      yield* server.abandoned
    }),
  )

  it.scoped("emits one answer after a connection that broke within the text", () =>
    Effect.gen(function* () {
      const { url } = yield* FakeServer.serve([{ body: FakeServer.events(saying("half")), ending: "reset" }, fine])
      const retries = yield* Queue.unbounded<LanguageModel.Retrying>()
      const fiber = yield* Effect.fork(
        Gemini.make(options(url)).generate(hello, { retry: (retry) => Queue.offer(retries, retry) }),
      )
      const { delay, restarted } = yield* Queue.take(retries)
      assert.isTrue(restarted)
      yield* TestClock.adjust(delay)
      assert.deepStrictEqual((yield* Fiber.join(fiber)).blocks, [Block.text("fine")])
    }),
  )
})
