import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as TopK from "../../src/search/TopK.ts"

/** The positions of the largest values. */
const positions = (values: ReadonlyArray<number>, limit: number) => {
  const top = TopK.make(limit)
  values.forEach((value, position) => {
    top.offer(position, value)
  })
  return top.sorted().map(({ position }) => position)
}

describe("TopK", () => {
  it("has the positions of the largest values above 0", () => {
    assert.deepStrictEqual(positions([1, 0, 3, 2, -1], 2), [2, 3])
    assert.deepStrictEqual(positions([1, 0, 3], 5), [2, 0])
  })

  it.prop(
    "has the values that come first when all are sorted",
    [
      FastCheck.array(FastCheck.integer({ min: 0, max: 50 }), { maxLength: 200 }),
      FastCheck.integer({ min: 1, max: 20 }),
    ],
    ([numbers, limit]) => {
      const found = positions(numbers, limit)
      assert.lengthOf(new Set(found), found.length)
      assert.deepStrictEqual(
        found.map((at) => numbers[at]),
        numbers
          .filter((number) => number > 0)
          .sort((one, other) => other - one)
          .slice(0, limit),
      )
    },
  )
})
