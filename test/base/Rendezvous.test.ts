import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Ref, Stream } from "effect"
import { rendezvous } from "../../src/base/Rendezvous.ts"

/** Emits 1, 2, … and logs its steps. */
const counting = (log: Ref.Ref<ReadonlyArray<string>>, count: number) =>
  rendezvous<number, never, never>((emit) => {
    const write = (line: string) => Ref.update(log, (all) => [...all, line])
    return Effect.forEach(
      Array.from({ length: count }, (_, index) => index + 1),
      (n) => Effect.zipRight(write(`makes ${n}`), emit(n)),
      { discard: true },
    ).pipe(
      Effect.zipRight(write("ends")),
      Effect.onInterrupt(() => Effect.zipRight(Effect.yieldNow(), write("is interrupted"))),
    )
  })

const emptyLog = Ref.make<ReadonlyArray<string>>([])

describe("Rendezvous", () => {
  it.effect("delivers every element in order, and ends", () =>
    Effect.gen(function* () {
      const log = yield* emptyLog
      assert.deepStrictEqual(Array.from(yield* Stream.runCollect(counting(log, 3))), [1, 2, 3])
      assert.deepStrictEqual((yield* Ref.get(log)).at(-1), "ends")
    }),
  )

  it.effect("ends at once where there are no elements", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* Stream.runCollect(rendezvous(() => Effect.void)), 0)
    }),
  )

  it.effect("does not run ahead: the producer continues when the next element is requested", () =>
    Effect.gen(function* () {
      const log = yield* emptyLog
      yield* Stream.runForEach(counting(log, 3), (n) =>
        Effect.gen(function* () {
          yield* Effect.repeatN(Effect.yieldNow(), 20)
          assert.strictEqual((yield* Ref.get(log)).at(-1), `makes ${n}`)
          yield* Ref.update(log, (all) => [...all, `takes ${n}`])
        }),
      )
      assert.deepStrictEqual(yield* Ref.get(log), [
        "makes 1",
        "takes 1",
        "makes 2",
        "takes 2",
        "makes 3",
        "takes 3",
        "ends",
      ])
    }),
  )

  it.effect("does nothing before the first request", () =>
    Effect.gen(function* () {
      const log = yield* emptyLog
      yield* Effect.scoped(Stream.toPull(counting(log, 3)))
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      assert.deepStrictEqual(yield* Ref.get(log), [])
    }),
  )

  it.effect("interrupts the waiting producer when cancelled, and waits for its finalizers", () =>
    Effect.gen(function* () {
      const log = yield* emptyLog
      yield* Stream.runDrain(Stream.take(counting(log, 3), 2))
      assert.deepStrictEqual(yield* Ref.get(log), ["makes 1", "makes 2", "is interrupted"])
    }),
  )

  it.effect("interrupts a running producer when cancelled, and waits for its finalizers", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const log = yield* emptyLog
      const working = rendezvous<number, never, never>(() =>
        Deferred.succeed(started, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.onInterrupt(() => Effect.zipRight(Effect.yieldNow(), Ref.set(log, ["is interrupted"]))),
        ),
      )
      const fiber = yield* Effect.fork(Stream.runDrain(working))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* Ref.get(log), ["is interrupted"])
    }),
  )

  it.effect("can be cancelled at any moment", () =>
    Effect.forEach(
      Array.from({ length: 60 }, (_, moment) => moment),
      (moment) =>
        Effect.gen(function* () {
          const log = yield* emptyLog
          // Fibers that yield every few steps can be interrupted between any two of them.
          const consumer = Stream.runDrain(counting(log, 60)).pipe(Effect.withMaxOpsBeforeYield(20))
          const fiber = yield* Effect.fork(consumer)
          yield* Effect.repeatN(Effect.yieldNow(), moment)
          assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
        }),
      { discard: true },
    ),
  )

  it.effect("ends with the defect of the producer, after the elements before it", () =>
    Effect.gen(function* () {
      const received = yield* Ref.make<ReadonlyArray<number>>([])
      const defect = new Error("broken")
      const exit = yield* rendezvous<number, never, never>((emit) => Effect.zipRight(emit(1), Effect.die(defect))).pipe(
        Stream.runForEach((n) => Ref.update(received, (all) => [...all, n])),
        Effect.exit,
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      assert.strictEqual(Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined, defect)
      assert.deepStrictEqual(yield* Ref.get(received), [1])
    }),
  )

  it.effect("fails as the producer does, after the elements before it", () =>
    Effect.gen(function* () {
      const received = yield* Ref.make<ReadonlyArray<number>>([])
      const failing = rendezvous<number, string, never>((emit) => Effect.zipRight(emit(1), Effect.fail("no more")))
      const error = yield* Effect.flip(Stream.runForEach(failing, (n) => Ref.update(received, (all) => [...all, n])))
      assert.strictEqual(error, "no more")
      assert.deepStrictEqual(yield* Ref.get(received), [1])
    }),
  )

  it.effect("starts anew on each run", () =>
    Effect.gen(function* () {
      const log = yield* emptyLog
      const stream = counting(log, 1)
      yield* Stream.runDrain(stream)
      yield* Stream.runDrain(stream)
      assert.deepStrictEqual(yield* Ref.get(log), ["makes 1", "ends", "makes 1", "ends"])
    }),
  )
})
