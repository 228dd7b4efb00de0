import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Ranking from "../../src/search/Ranking.ts"

describe("Ranking.rank", () => {
  const candidate = (id: number, change: Partial<Ranking.Candidate> = {}): Ranking.Candidate => ({
    id,
    file: id,
    kind: "function",
    usedBy: 0,
    retrievalScore: 1,
    nameMatch: undefined,
    ...change,
  })
  const order = (candidates: ReadonlyArray<Ranking.Candidate>) => Ranking.rank(candidates).map(({ id }) => id)

  it("puts the better match first, and of equal ones the one that more files use", () => {
    assert.deepStrictEqual(
      order([candidate(1), candidate(2, { retrievalScore: 2 }), candidate(3, { usedBy: 9 })]),
      [2, 3, 1],
    )
  })

  it("does not give all first places to one file", () => {
    const sameFile = [1, 2, 3].map((id) => candidate(id, { file: 1 }))
    assert.strictEqual(order([...sameFile, candidate(4, { retrievalScore: 0.9 })])[1], 4)
  })

  it("puts a function before a field with the same score, and a mentioned name before both", () => {
    const [field, plain, named] = [
      candidate(1, { kind: "field" }),
      candidate(2),
      candidate(3, { nameMatch: "mentioned" }),
    ]
    assert.deepStrictEqual(order([field, plain, named]), [3, 2, 1])
  })

  it.prop(
    "scores no symbol that is not named above its upper bound",
    [
      FastCheck.record({
        retrievalScore: FastCheck.double({ min: 0, max: 100, noNaN: true }),
        kind: FastCheck.constantFrom("function", "field"),
        usedBy: FastCheck.nat(100_000),
      }),
    ],
    ([each]) => {
      const [ranked] = Ranking.rank([candidate(1, each)])
      assert.isAtMost(ranked?.score ?? Number.NaN, Ranking.upperBound(each.retrievalScore))
    },
  )

  it.prop(
    "puts a symbol whose name is the whole question before all others",
    [FastCheck.array(FastCheck.float({ min: 0, max: 1000, noNaN: true }))],
    ([scores]) => {
      const others = scores.map((retrievalScore, n) => candidate(n + 1, { retrievalScore, usedBy: n }))
      const named = candidate(0, { retrievalScore: 0, nameMatch: "exact" })
      assert.strictEqual(order([...others, named])[0], 0)
    },
  )
})

describe("Ranking.retrievalScore", () => {
  it("grows with the score of the symbol, the score of its file and the weight of the file", () => {
    const score = Ranking.retrievalScore(1, 1, 1)
    assert.isAbove(Ranking.retrievalScore(1.1, 1, 1), score)
    assert.isAbove(Ranking.retrievalScore(1, 1.1, 1), score)
    assert.isBelow(Ranking.retrievalScore(1, 1, 0.5), score)
  })
})

describe("Ranking.auxiliaryWeight", () => {
  it("puts tests behind the code, and less so where the question asks for tests", () => {
    const [plain, forTests] = ["append a node", "which test appends a node"].map(Ranking.auxiliaryWeight)
    assert.isBelow(plain ?? 1, forTests ?? 0)
    assert.isBelow(forTests ?? 1, 1)
  })
})
