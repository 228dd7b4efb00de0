/** A few of the kills of `bench/forestKilled.ts`. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { killedAt, moments } from "./killed.ts"

describe("A forest to which two processes write, killed again and again", () => {
  it.live(
    "is whole, and has all that was told to be kept",
    () =>
      Effect.gen(function* () {
        const { broken, lost, operations, unclean } = yield* killedAt(yield* moments("vibe", 6), "vibe")
        assert.deepStrictEqual({ broken, lost, unclean }, { broken: [], lost: [], unclean: [] })
        assert.isAbove(operations, 0)
      }),
    240_000,
  )
})
