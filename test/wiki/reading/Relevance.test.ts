import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import * as Relevance from "../../../src/wiki/reading/Relevance.ts"

const hit = (name: string, score: number) => ({
  score,
  entry: new IndexEntry({
    path: "a.ts",
    name,
    kind: "function",
    startLine: 1,
    endLine: 2,
    signature: "",
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
  }),
})

/** The relevance of each name that `hits` or nothing has. */
const relevanceOf = (...hits: ReadonlyArray<ReturnType<typeof hit>>) => {
  const relevance = Effect.runSync(Relevance.ofQuestion({ search: () => Effect.succeed(hits) }, "How?"))
  return (symbol?: string) => relevance({ path: "a.ts", symbol, hash: "h" })
}

describe("Relevance.ofQuestion", () => {
  it("is the share of the best score, and 0 for what was not found", () => {
    const relevance = relevanceOf(hit("load", 8), hit("save", 2))
    assert.deepStrictEqual([relevance("load"), relevance("save"), relevance("other"), relevance()], [1, 0.25, 0, 0])
  })

  it("is that of the best of several symbols with one name", () => {
    assert.strictEqual(relevanceOf(hit("load", 10), hit("save", 5), hit("load", 2))("load"), 1)
  })

  it("is 0 if nothing has a score", () => {
    for (const hits of [[], [hit("load", 0)]]) assert.strictEqual(relevanceOf(...hits)("load"), 0)
  })
})
