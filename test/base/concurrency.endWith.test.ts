import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { endWith } from "../../src/base/concurrency.ts"
import { interruptAfter } from "../utils/interruptAfter.ts"

describe("endWith", () => {
  it("ends wherever it is interrupted", () => {
    for (let steps = 1; steps <= 100; steps++) {
      const exit = interruptAfter(steps, Effect.never.pipe(endWith(Effect.never)))
      assert.isTrue(exit !== null && Exit.isInterrupted(exit), `after ${steps} steps`)
    }
  })

  it.effect("has the result of what is done first, and interrupts the other", () =>
    Effect.gen(function* () {
      let interrupted = 0
      const never = Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          interrupted++
        }),
      )
      assert.strictEqual(yield* Effect.as(Effect.yieldNow(), "run").pipe(endWith(never)), "run")
      assert.strictEqual(yield* never.pipe(endWith(Effect.as(Effect.yieldNow(), "end"))), "end")
      assert.strictEqual(interrupted, 2)
      assert.strictEqual(yield* Effect.flip(Effect.fail("failure").pipe(endWith(Effect.never))), "failure")
      assert.isTrue(Exit.isInterrupted(yield* Effect.exit(Effect.never.pipe(endWith(Effect.interrupt)))))
    }),
  )
})
