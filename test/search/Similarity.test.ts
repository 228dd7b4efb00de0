import { assert, describe, it } from "@effect/vitest"
import { SIMILARITY_WEIGHT } from "../../src/search/Ranking.ts"
import * as Similarity from "../../src/search/Similarity.ts"

const similar = [
  { file: 1, symbol: 0, similarity: 0.7 },
  { file: 2, symbol: 3, similarity: 0.6 },
  { file: 1, symbol: 2, similarity: 0.65 },
  { file: 3, symbol: 0, similarity: 0.6 },
]

describe("Similarity", () => {
  it("counts what a cosine is above the least, and for a file that of its nearest symbol", () => {
    const { files, symbols } = Similarity.of(similar, undefined)
    assert.deepStrictEqual(
      symbols.map(({ file, score, symbol }) => [file, symbol, Math.round(score * 100)]),
      [
        [1, 0, Math.round(10 * SIMILARITY_WEIGHT)],
        [1, 2, Math.round(5 * SIMILARITY_WEIGHT)],
      ],
    )
    assert.deepStrictEqual(Array.from(files.keys()), [1])
    assert.approximately(files.get(1) ?? 0, 0.1 * SIMILARITY_WEIGHT, 1e-9)
  })

  it("leaves out other files than those of the search", () => {
    assert.deepStrictEqual(Similarity.of(similar, new Set([2, 3])), { symbols: [], files: new Map() })
  })

  it("keeps the nearest files beside the best ones", () => {
    const sorted = Array.from({ length: 9 }, (_, file) => ({ file, score: 9 - file, weight: 1 }))
    const near = Similarity.of(
      [
        { file: 7, symbol: 0, similarity: 0.9 },
        { file: 1, symbol: 0, similarity: 0.8 },
        { file: 8, symbol: 0, similarity: 0.1 },
      ],
      undefined,
    )
    assert.deepStrictEqual(
      Similarity.keepFiles(near, sorted, 3).map(({ file }) => file),
      [0, 1, 2, 7],
    )
  })
})
