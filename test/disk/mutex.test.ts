import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { makeMutex } from "../../src/disk/mutex.ts"
import { interruptAfter } from "../utils/interruptAfter.ts"

describe("makeMutex", () => {
  it.effect("runs one at a time, in the order in which they came, and passes on results and failures", () =>
    Effect.gen(function* () {
      const mutex = makeMutex()
      const order: Array<string> = []
      const use = (name: string) =>
        mutex(
          Effect.gen(function* () {
            order.push(`${name} begins`)
            yield* Effect.yieldNow()
            order.push(`${name} ends`)
            return name
          }),
        )
      const fibers = yield* Effect.forEach(["a", "b", "c"], (name) => Effect.fork(use(name)))
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["a", "b", "c"])
      assert.deepStrictEqual(order, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
      assert.strictEqual(yield* Effect.flip(mutex(Effect.fail("broken"))), "broken")
      assert.strictEqual(yield* use("d"), "d")
    }),
  )

  it.effect("is free again when a holder or one that waits is interrupted", () =>
    Effect.gen(function* () {
      const mutex = makeMutex()
      const held = yield* Deferred.make<void>()
      const holder = yield* Effect.fork(mutex(Effect.zipRight(Deferred.succeed(held, undefined), Effect.never)))
      yield* Deferred.await(held)
      const waiting = yield* Effect.fork(mutex(Effect.void))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(holder)
      assert.strictEqual(yield* mutex(Effect.succeed("free")), "free")
    }),
  )

  it("is free again wherever one that uses it is interrupted", () => {
    for (let steps = 1; steps <= 100; steps++) {
      const mutex = makeMutex()
      assert.isNotNull(interruptAfter(steps, mutex(Effect.yieldNow()).pipe(Effect.repeatN(5))))
      assert.isTrue(Exit.isSuccess(Effect.runSyncExit(mutex(Effect.void))), `is free after ${steps} steps`)
    }
  })

  it("is free again wherever several that use it are interrupted", () => {
    for (let steps = 1; steps <= 300; steps++) {
      const mutex = makeMutex()
      const use = mutex(Effect.yieldNow()).pipe(Effect.repeatN(5))
      const several = Effect.all([use, use, use].map((each) => Effect.fork(each))).pipe(
        Effect.flatMap((fibers) => Effect.ensuring(Effect.forEach(fibers, Fiber.join), Fiber.interruptAll(fibers))),
      )
      assert.isNotNull(interruptAfter(steps, several), `ends after ${steps} steps`)
      assert.isTrue(Exit.isSuccess(Effect.runSyncExit(mutex(Effect.void))), `is free after ${steps} steps`)
    }
  })
})
