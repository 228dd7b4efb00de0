import { assert, describe, it } from "@effect/vitest"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import { keepRelevant } from "../../src/lookup/keepRelevant.ts"

const entry = new IndexEntry({
  path: "a.ts",
  name: "a",
  kind: "function",
  startLine: 1,
  endLine: 1,
  signature: "a()",
  exported: true,
  usedBy: 0,
  isMajor: true,
  hash: "h",
})

const kept = (...scores: ReadonlyArray<number>) =>
  keepRelevant(scores.map((score) => ({ entry, score }))).map(({ score }) => score)

describe("keepRelevant", () => {
  it("leaves out what is far behind the first", () => {
    assert.deepStrictEqual(kept(10, 7, 6.1, 5.9, 1), [10, 7, 6.1])
    assert.deepStrictEqual(kept(41, 10, 10), [41], "a name alone")
  })

  it("keeps a second one where the first is before all others because the question names it", () => {
    assert.deepStrictEqual(kept(21, 10, 9), [21, 10])
  })

  it("keeps all of those that are about as good, at most five", () => {
    assert.deepStrictEqual(kept(3, 3, 3, 3, 3, 3), [3, 3, 3, 3, 3])
    assert.deepStrictEqual(kept(), [])
  })
})
