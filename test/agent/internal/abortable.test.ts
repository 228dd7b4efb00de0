import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { abortable } from "../../../src/agent/internal/abortable.ts"
import { interruptAfter } from "../../utils/interruptAfter.ts"

const never = (signal: AbortSignal) =>
  abortable(
    signal,
    () => Effect.void,
    () => Effect.never,
  )

describe("abortable", () => {
  it("ends wherever it is interrupted", () => {
    for (let steps = 1; steps <= 100; steps++) {
      const exit = interruptAfter(steps, never(new AbortController().signal))
      assert.isTrue(exit !== null && Exit.isInterrupted(exit), `after ${steps} steps`)
    }
  })

  it.effect("fails with the reason of the signal", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(never(AbortSignal.abort("enough")))).reason, "enough")
    }),
  )
})
