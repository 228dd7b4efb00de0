import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scheduler } from "effect"
import { endWith } from "../../src/cli/endWith.ts"

/** Interrupts an effect after so many of its steps, as a signal does where a slice of work is over there. */
const interruptAfter = (steps: number, effect: Effect.Effect<unknown>): Exit.Exit<unknown> | null => {
  const tasks: Array<() => void> = []
  let id: unknown
  let done = 0
  const scheduler = Scheduler.make(
    (task) => {
      tasks.push(task)
    },
    (fiber) => {
      id ??= fiber.id()
      return fiber.id() === id && ++done === steps ? 0 : false
    },
  )
  const fiber = Effect.runFork(effect, { scheduler })
  for (let isInterrupted = false; ; ) {
    if (!isInterrupted && (done >= steps || tasks.length === 0)) {
      isInterrupted = true
      fiber.unsafeInterruptAsFork(fiber.id())
    }
    const task = tasks.shift()
    if (task === undefined) return fiber.unsafePoll()
    task()
  }
}

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
