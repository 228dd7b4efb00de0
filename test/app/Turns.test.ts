import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Turns from "../../src/app/Turns.ts"

/** Two seconds of work in pieces that hold the thread. */
const busy = Effect.repeatN(
  Effect.sync(() => {
    const until = performance.now() + 5
    while (performance.now() < until);
  }),
  400,
)

const timer = Effect.async<string>((resume) => {
  setTimeout(() => resume(Effect.succeed("heard")), 10)
})

describe("Turns.given", () => {
  it.live("hears a timer in the midst of work", () =>
    Effect.gen(function* () {
      const begun = performance.now()
      const first = yield* Turns.given(Effect.raceFirst(Effect.as(busy, "done"), timer))
      assert.strictEqual(first, "heard")
      assert.isBelow(performance.now() - begun, 1000)
    }),
  )
})
