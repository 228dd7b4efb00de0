import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Fiber, Stream } from "effect"
import { abortable } from "../../../src/provider/internal/abortable.ts"

const streamOf = <A>(open: (signal: AbortSignal) => Promise<AsyncIterable<A>>) =>
  Stream.fromAsyncIterable(abortable(open), (cause) => cause)

describe("abortable", () => {
  it.live("aborts the request at once when it is let go while it waits for an answer", () =>
    Effect.gen(function* () {
      const opened = yield* Deferred.make<AbortSignal>()
      const stream = streamOf((signal) => {
        Deferred.unsafeDone(opened, Effect.succeed(signal))
        return new Promise<AsyncIterable<never>>(() => {})
      })
      const fiber = yield* Effect.fork(Stream.runDrain(stream))
      const signal = yield* Deferred.await(opened)
      yield* Effect.timeout(Fiber.interrupt(fiber), "1 second")
      assert.isTrue(signal.aborted)
    }),
  )

  it.live("aborts the request when the consumer has had enough", () =>
    Effect.gen(function* () {
      let aborted = false
      const stream = streamOf(async (signal) => {
        signal.addEventListener("abort", () => {
          aborted = true
        })
        return (async function* () {
          yield 1
          yield 2
          await new Promise(() => {})
        })()
      })
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.take(stream, 2))), [1, 2])
      assert.isTrue(aborted)
    }),
  )

  it.effect("opens nothing before it is run, and anew each time it is", () =>
    Effect.gen(function* () {
      let opened = 0
      const stream = streamOf(async () => {
        opened++
        return (async function* () {
          yield opened
        })()
      })
      assert.strictEqual(opened, 0)
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Stream.runCollect(stream)), [1])
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Stream.runCollect(stream)), [2])
    }),
  )

  it.effect("fails as the request does, whether it opens or not", () =>
    Effect.gen(function* () {
      const refused = streamOf(() => Promise.reject("refused"))
      assert.strictEqual(yield* Effect.flip(Stream.runDrain(refused)), "refused")
      const broken = streamOf(async () =>
        (async function* () {
          yield 1
          throw "broken"
        })(),
      )
      assert.strictEqual(yield* Effect.flip(Stream.runDrain(broken)), "broken")
    }),
  )
})
