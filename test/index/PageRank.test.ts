import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as PageRank from "../../src/index/PageRank.ts"

const edges = (...all: ReadonlyArray<readonly [number, number, number]>): PageRank.Edges => ({
  from: all.map(([from]) => from),
  to: all.map(([, to]) => to),
  weight: all.map(([, , weight]) => weight),
})

describe("PageRank.compute", () => {
  it("gives most to what most leads to, also over several edges, and more by heavier ones", () => {
    const [a = 0, b = 0, c = 0, d = 0] = PageRank.compute([1, 1, 1, 1], edges([0, 1, 1], [1, 2, 3], [1, 3, 1]))
    assert.isTrue(c > d && b > a && c > a)
  })

  it("begins at the given node", () => {
    const [a = 0, b = 0] = PageRank.compute([3, 1], edges())
    assert.closeTo(a, 0.75, 1e-9)
    assert.closeTo(b, 0.25, 1e-9)
  })

  it.prop(
    "has the sum 1, and is the same each time",
    [fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.integer({ min: 1, max: 5 })))],
    ([all]) => {
      const ranks = PageRank.compute(Array(10).fill(1), edges(...all))
      assert.closeTo(
        ranks.reduce((sum, rank) => sum + rank, 0),
        1,
        1e-9,
      )
      assert.deepStrictEqual(PageRank.compute(Array(10).fill(1), edges(...all)), ranks)
    },
  )

  it("is nothing without nodes", () => {
    assert.lengthOf(PageRank.compute([], edges()), 0)
  })
})
