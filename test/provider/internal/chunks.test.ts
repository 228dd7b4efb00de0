import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Either, Fiber, Option, TestClock } from "effect"
import * as Chunks from "../../../src/provider/internal/chunks.ts"

const patience: Chunks.Patience = { first: Duration.minutes(5), next: Duration.seconds(90) }

/** A request that answers with `chunks`, and whether it was aborted, for each time it was opened. */
const request = <A>(chunks: () => AsyncIterable<A>) => {
  const signals: Array<AbortSignal> = []
  const reply = Chunks.make<A>(async (signal, hear) => {
    signals.push(signal)
    for await (const chunk of chunks()) hear(chunk)
  }, patience)
  return { reply, aborted: () => signals.map((signal) => signal.aborted) }
}

const never = new Promise<never>(() => {})

/** An answer that is given by hand. */
const spoken = () => {
  const words: Array<string> = []
  let wake = () => {}
  return {
    say: (word: string) => {
      words.push(word)
      wake()
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const word = words.shift()
        if (word !== undefined) yield word
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
  }
}

/** All chunks up to the end. */
const all = <A>({ next }: Chunks.Chunks<A>) =>
  Effect.gen(function* () {
    const chunks: Array<A> = []
    while (true) {
      const heard = yield* next
      if (Option.isNone(heard)) return chunks
      assert.isAbove(heard.value.length, 0)
      chunks.push(...heard.value)
    }
  })

describe("chunks", () => {
  it.effect("come in their order and then end, of a request of its own each time, which is not aborted", () =>
    Effect.gen(function* () {
      const { aborted, reply } = request(async function* () {
        yield 1
        await new Promise(setImmediate)
        yield 2
      })
      assert.deepStrictEqual(aborted(), [])
      for (const _ of [1, 2]) {
        const chunks = yield* reply
        assert.deepStrictEqual(yield* all(chunks), [1, 2])
        assert.isTrue(Option.isNone(yield* chunks.next))
        yield* chunks.letGo
      }
      assert.deepStrictEqual(aborted(), [false, false])
    }),
  )

  it.effect("come together where they came at once", () =>
    Effect.gen(function* () {
      const { reply } = request(async function* () {
        yield* Array.from({ length: 100 }, (_, n) => n)
      })
      const { letGo, next } = yield* reply
      assert.lengthOf(Option.getOrThrow(yield* next), 100)
      yield* letGo
    }),
  )

  it.live("abort the request at once when they are let go while it waits for an answer", () =>
    Effect.gen(function* () {
      const opened = yield* Deferred.make<AbortSignal>()
      const reply = Chunks.make((signal) => {
        Deferred.unsafeDone(opened, Effect.succeed(signal))
        return never
      }, patience)
      const fiber = yield* Effect.fork(
        Effect.acquireUseRelease(
          reply,
          ({ next }) => next,
          ({ letGo }) => letGo,
        ),
      )
      const signal = yield* Deferred.await(opened)
      yield* Effect.timeout(Fiber.interrupt(fiber), "1 second")
      assert.isTrue(signal.aborted)
    }),
  )

  it.effect("abort the request when they are let go among them", () =>
    Effect.gen(function* () {
      const { aborted, reply } = request(async function* () {
        yield 1
        await never
      })
      const { letGo, next } = yield* reply
      assert.deepStrictEqual(yield* next, Option.some([1]))
      yield* letGo
      assert.deepStrictEqual(aborted(), [true])
    }),
  )

  it.effect("fail as the request does, whether it opens or not, after what came before", () =>
    Effect.gen(function* () {
      const refused = yield* Chunks.make(() => Promise.reject("refused"), patience)
      assert.strictEqual(yield* Effect.flip(refused.next), "refused")
      yield* refused.letGo
      const broken = request(async function* () {
        yield 1
        throw "broken"
      })
      const { letGo, next } = yield* broken.reply
      assert.deepStrictEqual(yield* next, Option.some([1]))
      assert.strictEqual(yield* Effect.flip(next), "broken")
      yield* letGo
    }),
  )

  it.effect("end in silence once nothing was heard for as long as one has patience, whoever asked meanwhile", () =>
    Effect.gen(function* () {
      const server = spoken()
      const { aborted, reply } = request(() => server)
      const { letGo, next } = yield* reply
      yield* TestClock.adjust("89 seconds")
      server.say("hello")
      assert.deepStrictEqual(yield* next, Option.some(["hello"]))
      const silence = yield* Effect.fork(Effect.either(next))
      yield* TestClock.adjust("89999 millis")
      assert.isNull(silence.unsafePoll())
      yield* TestClock.adjust("1 millis")
      assert.instanceOf(Either.getOrThrow(Either.flip(yield* Fiber.join(silence))), Chunks.Silence)
      yield* letGo
      assert.deepStrictEqual(aborted(), [true])
    }),
  )

  it.effect("wait longer for the first chunk than for the others", () =>
    Effect.gen(function* () {
      const { letGo, next } = yield* request(spoken).reply
      const silence = yield* Effect.fork(Effect.either(next))
      yield* TestClock.adjust("299 seconds")
      assert.isNull(silence.unsafePoll())
      yield* TestClock.adjust("1 seconds")
      const given = Either.getOrThrow(Either.flip(yield* Fiber.join(silence)))
      assert.deepStrictEqual(given, new Chunks.Silence(patience.first))
      yield* letGo
    }),
  )
})
