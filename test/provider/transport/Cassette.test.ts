import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber, Queue, TestClock } from "effect"
import type { Request } from "../../../src/model/Request.ts"
import * as Gemini from "../../../src/provider/gemini/Gemini.ts"
import * as Cassette from "../../../src/provider/transport/Cassette.ts"
import { asking, hello, key, withoutWaiting } from "../../utils/Asking.ts"
import * as FakeServer from "../../utils/FakeServer.ts"
import { fine, google, options, refusing, saying } from "../../utils/Gemini.ts"

const answer = (url: string, fetch: typeof globalThis.fetch, request: Request = hello) =>
  withoutWaiting((observer) => Effect.either(Gemini.make({ ...options(url), fetch }).generate(request, observer)))

/** The answer of a server that is recorded, and the recording. */
const recorded = (answers: Parameters<typeof FakeServer.serve>[0], request?: Request) =>
  Effect.gen(function* () {
    const server = yield* FakeServer.serve(answers)
    const exchanges: Array<Cassette.Exchange> = []
    const keep = (exchange: Cassette.Exchange) => void exchanges.push(exchange)
    const { result } = yield* answer(server.url, Cassette.record(globalThis.fetch, keep), request)
    return { result, exchanges }
  }).pipe(Effect.scoped)

/** The same from the recording alone, as decoded from a file. */
const replayed = (exchanges: ReadonlyArray<Cassette.Exchange>, request?: Request) => {
  const read = exchanges.map((exchange) => Either.getOrThrow(Cassette.decode(Cassette.encode(exchange))))
  return Effect.map(answer("http://127.0.0.1:9", Cassette.replay(read), request), ({ result }) => result)
}

const half: FakeServer.Answer = { body: FakeServer.events(saying("half")), ending: "reset" }

describe("Cassette", () => {
  for (const [what, answers] of [
    ["an answer", [fine]],
    ["an error response and its retry", [refusing(503, google(503, "overloaded"), { "retry-after": "3" }), fine]],
    ["a stream that broke off", [half, fine]],
    ["a failed connection", [{ body: "", ending: "drop" }, fine]],
    ["a permanent failure", [refusing(404, google(404, "no such model"))]],
  ] as const) {
    it.effect(`replays ${what}`, () =>
      Effect.gen(function* () {
        const { exchanges, result } = yield* recorded(answers)
        assert.lengthOf(exchanges, answers.length)
        assert.deepStrictEqual(yield* replayed(exchanges), result)
      }),
    )
  }

  it.effect("replays code with key-like strings unchanged", () =>
    Effect.gen(function* () {
      const code = '<li key="b">two</li>\nOpenAI(api_key="YOUR_KEY", timeout=5) {"authorization": "x"}'
      const { exchanges, result } = yield* recorded([{ body: FakeServer.events(saying(code, "STOP")) }], asking(code))
      assert.deepStrictEqual(Either.getOrThrow(result).blocks, [{ type: "text", text: code }])
      assert.deepStrictEqual(yield* replayed(exchanges, asking(code)), result)
    }),
  )

  it.effect("replays the part of an answer that was read", () =>
    Effect.gen(function* () {
      const server = yield* FakeServer.serve([{ ...fine, ending: "hang" }])
      const exchanges = yield* Queue.unbounded<Cassette.Exchange>()
      const emitted = yield* Deferred.make<void>()
      const fetch = Cassette.record(globalThis.fetch, (exchange) => void Queue.unsafeOffer(exchanges, exchange))
      const part = () => Effect.asVoid(Deferred.succeed(emitted, undefined))
      const fiber = yield* Effect.fork(Gemini.make({ ...options(server.url), fetch }).generate(hello, { part }))
      yield* Deferred.await(emitted)
      yield* TestClock.adjust("2 seconds")
      const result = yield* Fiber.await(fiber)
      const exchange = yield* Queue.take(exchanges)
      assert.strictEqual(exchange.response?.body, fine.body)
      assert.isDefined(exchange.failure)
      assert.deepStrictEqual(yield* replayed([exchange]), yield* Effect.either(result))
    }).pipe(Effect.scoped),
  )

  it.effect("records a chunk of megabytes in slices, between which a signal is noticed, and whole", () =>
    Effect.gen(function* () {
      const exchanges = yield* Queue.unbounded<Cassette.Exchange>()
      const text = fine.body.repeat(Math.ceil(2_000_000 / fine.body.length))
      const arrives = async () => new Response(new Blob([text]).stream())
      const fetch = Cassette.record(arrives, (exchange) => void Queue.unsafeOffer(exchanges, exchange))
      const sizes = yield* Effect.promise(async () => {
        const { body } = await fetch("http://127.0.0.1:9/")
        const sizes: Array<number> = []
        for await (const bytes of body ?? []) sizes.push(bytes.length)
        return sizes
      })
      assert.isAtMost(Math.max(...sizes), 32_768)
      assert.strictEqual(
        sizes.reduce((sum, size) => sum + size, 0),
        Buffer.byteLength(text),
      )
      assert.strictEqual((yield* Queue.take(exchanges)).response?.body, text)
    }),
  )

  it.effect("records the slices that were read of a chunk before its request was aborted, and reads no more", () =>
    Effect.gen(function* () {
      const exchanges = yield* Queue.unbounded<Cassette.Exchange>()
      const controller = new AbortController()
      const arrives = async () => new Response(new Blob(["x".repeat(4_000_000)]).stream())
      const fetch = Cassette.record(arrives, (exchange) => void Queue.unsafeOffer(exchanges, exchange))
      const length = yield* Effect.promise(async () => {
        const { body } = await fetch("http://127.0.0.1:9/", { signal: controller.signal })
        let length = 0
        try {
          for await (const bytes of body ?? []) {
            length += bytes.length
            controller.abort()
          }
        } catch {}
        return length
      })
      const { failure, response } = yield* Queue.take(exchanges)
      assert.isDefined(failure)
      assert.isBelow(length, 200_000)
      assert.isBelow(response?.body.length ?? 0, 200_000)
      assert.isAbove(response?.body.length ?? 0, 0)
    }),
  )

  it.effect("contains no key, in requests, responses and errors", () =>
    Effect.gen(function* () {
      const echo = refusing(400, google(400, `what is ${key}? You sent Authorization: Basic dXNlcjpwdw==`))
      const { exchanges, result } = yield* recorded([echo], asking(`my key is ${key}`))
      assert.lengthOf(exchanges, 1)
      assert.notMatch(exchanges.map((exchange) => Cassette.encode(exchange)).join(), new RegExp(`${key}|dXNl`))
      assert.deepStrictEqual(yield* replayed(exchanges, asking(`my key is ${key}`)), result)
    }),
  )

  it.effect("reports where a request differs from the recording, and sends nothing", () =>
    Effect.gen(function* () {
      const { exchanges } = yield* recorded([fine])
      const result = yield* replayed(exchanges, asking("goodbye"))
      const error = Either.isLeft(result) ? result.left : assert.fail("it answered")
      assert.strictEqual(error.reason._tag, "Misconfigured")
      assert.match(error.reason.message, /^the recording has no answer to this POST \/v1beta\/.*near ".*goodbye/)
    }),
  )

  it.effect("uses no recorded answer twice", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* recorded([fine]), yield* recorded([fine], asking("goodbye"))]
      const fetch = Cassette.replay([...one.exchanges, ...other.exchanges])
      yield* answer("http://127.0.0.1:9", fetch)
      const { result } = yield* answer("http://127.0.0.1:9", fetch)
      assert.match(
        Either.isLeft(result) ? result.left.reason.message : "it answered",
        /^the recording has no further answer to this POST \/v1beta\/\S+: it was recorded once$/,
      )
    }),
  )

  it("describes what is wrong with an invalid file", () => {
    assert.isTrue(Either.isLeft(Cassette.decode("{")))
    assert.isTrue(Either.isLeft(Cassette.decode('{"request": {}}')))
  })
})
