import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { makeUniqueIds } from "../../../src/agent/internal/storeNodes.ts"

describe("uniqueIds", () => {
  it("keeps an unused id, and appends a number to a used one", () => {
    const uniqueId = makeUniqueIds(["a", "b_2"])
    assert.deepStrictEqual(["a", "b", "b", "a", "c", "a"].map(uniqueId), ["a_2", "b", "b_3", "a_3", "c", "a_4"])
  })

  it.prop(
    "never returns an id twice, nor one of an earlier call",
    [
      FastCheck.array(FastCheck.constantFrom("a", "a_2", "a_3", "b")),
      FastCheck.array(FastCheck.constantFrom("a", "a_2", "b")),
    ],
    ([seen, asked]) => {
      const given = asked.map(makeUniqueIds(seen))
      assert.strictEqual(new Set([...seen, ...given]).size, new Set(seen).size + asked.length)
    },
  )
})
