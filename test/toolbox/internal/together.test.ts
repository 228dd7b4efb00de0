import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Ref } from "effect"
import * as Together from "../../../src/toolbox/internal/together.ts"

describe("Together.make", () => {
  it.effect("waits for the work of the calls that run at the same time", () =>
    Effect.gen(function* () {
      const together = Together.make()
      const done = yield* Ref.make<ReadonlyArray<string>>([])
      const gate = yield* Deferred.make<void>()
      const call = (name: string, work: Effect.Effect<void>) =>
        Effect.zipRight(
          together(
            Effect.zipRight(
              work,
              Ref.update(done, (all) => [...all, name]),
            ),
          ),
          Ref.get(done),
        )
      const slow = yield* Effect.fork(call("slow", Deferred.await(gate)))
      const quick = yield* Effect.fork(call("quick", Effect.void))
      while ((yield* Ref.get(done)).length === 0) yield* Effect.yieldNow()
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(quick), ["quick", "slow"])
      assert.deepStrictEqual(yield* Fiber.join(slow), ["quick", "slow"])
      assert.deepStrictEqual(yield* call("later", Effect.void), ["quick", "slow", "later"])
    }),
  )

  it.effect("does not wait for work that has failed or was interrupted", () =>
    Effect.gen(function* () {
      const together = Together.make()
      const stuck = yield* Effect.fork(together(Effect.never))
      const failing = yield* Effect.fork(Effect.exit(together(Effect.fail("no"))))
      const waiting = yield* Effect.fork(together(Effect.succeed(1)))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(stuck)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(failing)))
      assert.strictEqual(yield* Fiber.join(waiting), 1)
    }),
  )
})
