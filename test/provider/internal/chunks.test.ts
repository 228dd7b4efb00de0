import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Either, Fiber, Option, TestClock } from "effect"
import * as Chunks from "../../../src/provider/internal/chunks.ts"

const patience = Duration.seconds(90)

/** A request that answers with `chunks`, and what became of its signal. */
const request = <A>(chunks: () => AsyncIterable<A>) => {
  const signals: Array<AbortSignal> = []
  const { letGo, next } = Chunks.make(async (signal) => {
    signals.push(signal)
    return chunks()
  }, patience)
  return { letGo, next, signals, aborted: () => signals.map((signal) => signal.aborted) }
}

const never = new Promise<never>(() => {})

/** By hand, as a server speaks. */
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
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}

/** The chunk that is asked for, on its way. */
const asked = <A>(next: Effect.Effect<A, unknown>) =>
  Effect.tap(Effect.fork(Effect.either(next)), Effect.repeatN(Effect.yieldNow(), 20))

describe("chunks", () => {
  it.effect("come one at a time, then none, and nothing is opened before the first is asked for", () =>
    Effect.gen(function* () {
      const { aborted, letGo, next, signals } = request(async function* () {
        yield 1
        yield 2
      })
      assert.lengthOf(signals, 0)
      assert.deepStrictEqual(
        [yield* next, yield* next, yield* next],
        [Option.some(1), Option.some(2), Option.none<number>()],
      )
      yield* letGo
      assert.deepStrictEqual(aborted(), [false])
    }),
  )

  it.live("abort the request at once when they are let go while it waits for an answer", () =>
    Effect.gen(function* () {
      const opened = yield* Deferred.make<AbortSignal>()
      const { letGo, next } = Chunks.make((signal) => {
        Deferred.unsafeDone(opened, Effect.succeed(signal))
        return never
      }, patience)
      const fiber = yield* Effect.fork(Effect.ensuring(next, letGo))
      const signal = yield* Deferred.await(opened)
      yield* Effect.timeout(Fiber.interrupt(fiber), "1 second")
      assert.isTrue(signal.aborted)
    }),
  )

  it.effect("abort the request when they are let go between two of them", () =>
    Effect.gen(function* () {
      const { aborted, letGo, next } = request(async function* () {
        yield 1
        await never
      })
      assert.deepStrictEqual(yield* next, Option.some(1))
      yield* letGo
      assert.deepStrictEqual(aborted(), [true])
    }),
  )

  it.effect("fail as the request does, whether it opens or not", () =>
    Effect.gen(function* () {
      const refused = Chunks.make(() => Promise.reject("refused"), patience)
      assert.strictEqual(yield* Effect.flip(refused.next), "refused")
      yield* refused.letGo
      const broken = request(async function* () {
        yield 1
        throw "broken"
      })
      yield* broken.next
      assert.strictEqual(yield* Effect.flip(broken.next), "broken")
      yield* broken.letGo
    }),
  )

  it.effect("fail after a silence as long as one's patience, counted anew for each", () =>
    Effect.gen(function* () {
      const server = spoken()
      const { letGo, next } = request(() => server)
      const first = yield* asked(next)
      yield* TestClock.adjust("89 seconds")
      server.say("hello")
      assert.deepStrictEqual(yield* Fiber.join(first), Either.right(Option.some("hello")))
      // Whoever does something else meanwhile waits for nobody.
      yield* TestClock.adjust("10 minutes")
      const second = yield* asked(next)
      yield* TestClock.adjust("89999 millis")
      assert.isNull(second.unsafePoll())
      yield* TestClock.adjust("1 millis")
      assert.instanceOf(Either.getOrThrow(Either.flip(yield* Fiber.join(second))), Chunks.Silence)
      yield* letGo
    }),
  )
})
