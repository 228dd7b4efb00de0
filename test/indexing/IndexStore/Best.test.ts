import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Best from "../../../src/indexing/IndexStore/internal/Best.ts"

/** Of all of them. */
const positions = (values: ReadonlyArray<number>, limit: number) => {
  const best = Best.of(limit)
  values.forEach((value, position) => {
    best.offer(position, value)
  })
  return best.found().map(({ position }) => position)
}

describe("Best", () => {
  it("has the positions of the largest, and of nothing that is not above 0", () => {
    assert.deepStrictEqual(positions([1, 0, 3, 2, -1], 2), [2, 3])
    assert.deepStrictEqual(positions([1, 0, 3], 5), [2, 0])
  })

  it.prop(
    "has the values that sorting all of them would have first",
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
