import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Turns from "../../src/app/Turns.ts"

/** Work without end, in pieces of 5 ms that hold the thread. */
const busy = Effect.forever(
  Effect.sync(() => {
    const until = performance.now() + 5
    while (performance.now() < until);
  }),
)

const timer = Effect.async<string>((resume) => {
  setTimeout(() => resume(Effect.succeed("fired")), 10)
})

describe("Turns.given", () => {
  it.live("lets a timer fire during work that never ends", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Turns.given(Effect.raceFirst(busy, timer)), "fired")
    }),
  )
})
