import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Bm25 from "../../src/search/Bm25.ts"
import * as Posting from "../../src/search/Posting.ts"

const frequency = FastCheck.integer({ min: 1, max: 10_000 })
const length = FastCheck.integer({ min: 1, max: 100_000 })

describe("Bm25", () => {
  it.prop("has impacts of eight bits, never 0", [frequency, length], ([tf, length]) => {
    const impact = Bm25.impact(tf, Bm25.lengthNorm(length, 80))
    assert.isTrue(Number.isInteger(impact) && impact >= 1 && impact <= Posting.MAX_IMPACT)
  })

  it.prop("grows with the frequency, and falls with the length", [frequency, length], ([tf, length]) => {
    const impact = Bm25.impact(tf, Bm25.lengthNorm(length, 80))
    assert.isAtLeast(Bm25.impact(tf + 1, Bm25.lengthNorm(length, 80)), impact)
    assert.isAtMost(Bm25.impact(tf, Bm25.lengthNorm(length + 100, 80)), impact)
  })

  it("is 1 / (1 + k1) of the highest impact for one occurrence in an average document", () => {
    assert.strictEqual(Bm25.impact(1, Bm25.lengthNorm(80, 80)), Math.round(Posting.MAX_IMPACT / (1 + Bm25.k1)))
  })

  it("weighs a rare term more than a common one, and never below 0", () => {
    assert.isAbove(Bm25.idf(100, 1), Bm25.idf(100, 50))
    assert.strictEqual(Bm25.idf(10, 30), 0)
  })

  it("adds the postings of the documents that are included", () => {
    const scores = new Float32Array(3)
    const firstDocuments = Int32Array.of(0, -1, 1)
    const postings = Int32Array.of(
      Posting.encode(0, 0, 100),
      Posting.encode(1, 0, 100),
      Posting.encode(2, 0, 10),
      Posting.encode(2, 1, 30),
    )
    Bm25.addPostings(scores, firstDocuments, postings, 0.5)
    assert.deepStrictEqual(Array.from(scores), [50, 5, 15])
  })
})
