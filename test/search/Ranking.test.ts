import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Ranking from "../../src/search/Ranking.ts"

describe("Ranking.rank", () => {
  const candidate = (id: number, change: Partial<Ranking.Candidate> = {}): Ranking.Candidate => ({
    id,
    file: id,
    kind: "function",
    isDocumented: false,
    usedBy: 0,
    score: 1,
    nameMatch: undefined,
    fileBoost: 1,
    ...change,
  })
  const order = (candidates: ReadonlyArray<Ranking.Candidate>) => Ranking.rank(candidates).map(({ id }) => id)

  it("puts the better match first, and of equal ones the one that more files use", () => {
    assert.deepStrictEqual(order([candidate(1), candidate(2, { score: 2 }), candidate(3, { usedBy: 9 })]), [2, 3, 1])
  })

  it("does not give all first places to one file", () => {
    const sameFile = [1, 2, 3].map((id) => candidate(id, { file: 1 }))
    assert.strictEqual(order([...sameFile, candidate(4, { score: 0.9 })])[1], 4)
  })

  it("puts a function before a field with the same score, and a mentioned name before both", () => {
    const [field, plain, named] = [
      candidate(1, { kind: "field" }),
      candidate(2),
      candidate(3, { nameMatch: "mentioned" }),
    ]
    assert.deepStrictEqual(order([field, plain, named]), [3, 2, 1])
  })

  it("puts a file with documentation of its own before one without", () => {
    const documented = candidate(2, { kind: "file", isDocumented: true })
    assert.deepStrictEqual(order([candidate(1, { kind: "file", usedBy: 9 }), documented]), [2, 1])
  })

  it("puts a symbol of a file that is named in the question before one with the same score", () => {
    assert.deepStrictEqual(order([candidate(1), candidate(2, { fileBoost: Ranking.fileNameBoost(0.1) })]), [2, 1])
  })

  it("puts a symbol before one with the same score if others of its file score about as much", () => {
    const [alone, beside] = [candidate(1), candidate(2)]
    assert.deepStrictEqual(order([alone, beside, candidate(3, { file: 2, score: 0.6 })]), [2, 1, 3])
    assert.deepStrictEqual(order([alone, beside, candidate(3, { file: 2, score: 0.4 })]), [1, 2, 3])
  })

  it("puts a guessed name before one that is neither mentioned nor guessed, and a mentioned one before it", () => {
    const [plain, guessed, named] = [
      candidate(1),
      candidate(2, { nameMatch: "guessed" }),
      candidate(3, { nameMatch: "mentioned" }),
    ]
    assert.deepStrictEqual(order([plain, guessed, named]), [3, 2, 1])
  })

  it.prop(
    "puts a symbol whose name is the whole question before all others, and then the one that the question identifies",
    [FastCheck.array(FastCheck.float({ min: 0, max: 1000, noNaN: true }))],
    ([scores]) => {
      const others = scores.map((score, n) => candidate(n + 2, { score, usedBy: n }))
      const whole = candidate(0, { score: 0, nameMatch: "exact" })
      const identified = candidate(1, { score: 0, nameMatch: "identified" })
      assert.deepStrictEqual(order([...others, identified, whole]).slice(0, 2), [0, 1])
    },
  )
})

describe("Ranking.rank of names that are the whole question", () => {
  it("puts the one that more files use first, even if the other has a little more text about its name", () => {
    const named = (id: number, usedBy: number, score: number) => ({
      ...{ id, file: id, kind: "class", isDocumented: false, nameMatch: "exact" as const, usedBy, fileBoost: 1, score },
    })
    const ranked = Ranking.rank([named(1, 2, 1.05), named(2, 20, 1)])
    assert.deepStrictEqual(
      ranked.map(({ id }) => id),
      [2, 1],
    )
  })

  it("puts functions and types before data, and then the name as it is written before others", () => {
    const named = (id: number, kind: string, nameMatch: Ranking.NameMatch) => ({
      ...{ id, kind, nameMatch, file: id, isDocumented: false, usedBy: 0, fileBoost: 1, score: id },
    })
    const ranked = Ranking.rank([
      named(4, "field", "alike"),
      named(3, "field", "exact"),
      named(2, "class", "alike"),
      named(1, "function", "exact"),
    ])
    assert.deepStrictEqual(
      ranked.map(({ id }) => id),
      [1, 2, 3, 4],
    )
  })
})

describe("Ranking.isIdentified", () => {
  const method = { id: 1, kind: "method" }

  it("is true where the identifiers name one function, method or type, also by two names of it", () => {
    assert.isTrue(Ranking.isIdentified([method]))
    assert.isTrue(Ranking.isIdentified([method, method]))
  })

  it("is false for no symbol, for several, and for a variable", () => {
    assert.isFalse(Ranking.isIdentified([]))
    assert.isFalse(Ranking.isIdentified([method, { id: 2, kind: "method" }]))
    assert.isFalse(Ranking.isIdentified([{ id: 1, kind: "variable" }]))
  })
})

describe("Ranking.isDescribedByCallers", () => {
  it("is true of what is called, and false of types and of data", () => {
    assert.isTrue(["function", "method", "class"].every(Ranking.isDescribedByCallers))
    assert.isFalse(["type", "interface", "constant", "field"].some(Ranking.isDescribedByCallers))
  })
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
