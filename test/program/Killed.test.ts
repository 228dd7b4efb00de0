/** A few of the kills of `bench/killed.ts`. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { killedAt, moments } from "./killed.ts"

describe("vibe index, killed again and again", () => {
  it.live(
    "loses no reported purpose, and works the next time",
    () =>
      Effect.gen(function* () {
        const { broken, leftOver, lost, reported, runs } = yield* killedAt(yield* moments("vibe", 12))
        assert.deepStrictEqual({ broken, leftOver, lost }, { broken: [], leftOver: [], lost: [] })
        assert.lengthOf(runs, 12)
        assert.isAbove(reported, 0)
      }),
    240_000,
  )
})
