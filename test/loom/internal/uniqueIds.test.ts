import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as UniqueIds from "../../../src/loom/internal/uniqueIds.ts"

describe("uniqueIds", () => {
  it("leaves an id that is free, and counts where it is not", () => {
    const uniqueId = UniqueIds.make(["a", "b_2"])
    assert.deepStrictEqual(["a", "b", "b", "a", "c", "a"].map(uniqueId), ["a_2", "b", "b_3", "a_3", "c", "a_4"])
  })

  it.prop(
    "never gives an id twice, nor one that was there before",
    [
      FastCheck.array(FastCheck.constantFrom("a", "a_2", "a_3", "b")),
      FastCheck.array(FastCheck.constantFrom("a", "a_2", "b")),
    ],
    ([seen, asked]) => {
      const given = asked.map(UniqueIds.make(seen))
      assert.strictEqual(new Set([...seen, ...given]).size, new Set(seen).size + asked.length)
    },
  )
})
