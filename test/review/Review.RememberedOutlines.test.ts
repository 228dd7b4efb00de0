import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Service } from "../../src/code/Symbols.ts"
import * as Review from "../../src/review/Review.ts"

/** Counts what it outlines. */
const counting = () => {
  const outlined: Array<string> = []
  const symbols: Service = {
    outline: (path, text) =>
      Effect.sync(() => {
        outlined.push(`${path} ${text}`)
        return { symbols: [], identifiers: new Map(), imports: [], references: "", note: text, cut: undefined }
      }),
  }
  return { outlined, symbols }
}

describe("Review.withMemory", () => {
  it.effect("outlines a text of a path once, and another text of it anew", () =>
    Effect.gen(function* () {
      const { outlined, symbols } = counting()
      const { outline } = Review.withMemory(symbols)
      assert.strictEqual((yield* outline("a.ts", "new")).note, "new")
      assert.strictEqual((yield* outline("a.ts", "old")).note, "old")
      assert.strictEqual((yield* outline("a.ts", "new")).note, "new")
      yield* outline("b.ts", "new")
      assert.deepStrictEqual(outlined, ["a.ts new", "a.ts old", "b.ts new"])
    }),
  )

  it.effect("remembers no more than it may", () =>
    Effect.gen(function* () {
      const { outlined, symbols } = counting()
      const { outline } = Review.withMemory(symbols, 4)
      for (const path of ["a.ts", "b.ts", "a.ts", "b.ts"]) yield* outline(path, "new")
      assert.deepStrictEqual(outlined, ["a.ts new", "b.ts new", "b.ts new"])
    }),
  )
})
