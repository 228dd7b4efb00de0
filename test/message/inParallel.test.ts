import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { inParallel } from "../../src/message/inParallel.ts"
import { interruptAfter } from "../utils/interruptAfter.ts"

describe("inParallel", () => {
  it("ends wherever it is interrupted", () => {
    for (let steps = 1; steps <= 150; steps++) {
      const exit = interruptAfter(steps, inParallel([Effect.never, Effect.yieldNow(), Effect.never]))
      assert.isTrue(exit !== null && Exit.isInterrupted(exit), `after ${steps} steps`)
    }
  })

  it.effect("ends when all have ended, whichever is the last", () =>
    Effect.gen(function* () {
      const ended: Array<number> = []
      const run = (n: number, steps: number) =>
        Effect.zipRight(
          Effect.yieldNow().pipe(Effect.repeatN(steps)),
          Effect.sync(() => void ended.push(n)),
        )
      yield* inParallel([run(1, 30), run(2, 10), run(3, 20)])
      assert.deepStrictEqual(ended, [2, 3, 1])
      yield* inParallel<never, never>([])
    }),
  )

  it.effect("fails as one of them does, and interrupts the others", () =>
    Effect.gen(function* () {
      let interrupted = 0
      const never = Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          interrupted++
        }),
      )
      assert.strictEqual(yield* Effect.flip(inParallel([Effect.fail("broken"), never, never])), "broken")
      assert.strictEqual(interrupted, 2)
    }),
  )
})
