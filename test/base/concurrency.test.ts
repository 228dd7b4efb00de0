import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { inParallel, mapInParallel } from "../../src/base/concurrency.ts"
import { isThorough } from "../thoroughness.ts"
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

  it.effect("fails with one that is not the first, while the first goes on", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Effect.flip(inParallel([Effect.never, Effect.fail("broken")])), "broken")
    }),
  )
})

describe("mapInParallel", () => {
  it("ends wherever it is interrupted", () => {
    for (let steps = 1; steps <= 150; steps++) {
      const exit = interruptAfter(
        steps,
        mapInParallel([1, 2, 3], () => Effect.never, 2),
      )
      assert.isTrue(exit !== null && Exit.isInterrupted(exit), `after ${steps} steps`)
    }
  })

  it.effect("gives the results in the order of the items, at most so many at the same time", () =>
    Effect.gen(function* () {
      let running = 0
      let most = 0
      const run = (n: number) =>
        Effect.gen(function* () {
          most = Math.max(most, ++running)
          yield* Effect.yieldNow().pipe(Effect.repeatN(20 - n))
          running--
          return n * 2
        })
      const items = Array.from({ length: 10 }, (_, n) => n)
      assert.deepStrictEqual(
        yield* mapInParallel(items, run, 3),
        items.map((n) => n * 2),
      )
      assert.strictEqual(most, 3)
      assert.deepStrictEqual(yield* mapInParallel([], run), [])
    }),
  )

  it.effect("is safe for as many items as there are", () =>
    Effect.gen(function* () {
      const items = Array.from({ length: isThorough ? 100_000 : 20_000 }, (_, n) => n)
      assert.lengthOf(yield* mapInParallel(items, Effect.succeed, 2), items.length)
    }),
  )
})
