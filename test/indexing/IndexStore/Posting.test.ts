import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Posting from "../../../src/indexing/IndexStore/internal/Posting.ts"

const numbers = [
  FastCheck.nat(10 * Posting.BLOCK),
  FastCheck.nat(Posting.MAX_SYMBOLS - 1),
  FastCheck.integer({ min: 1, max: Posting.MAX_IMPACT }),
] as const

describe("Posting", () => {
  it.prop("says what it was made of", [...numbers], ([file, symbol, impact]) => {
    const [posting = 0] = Int32Array.of(Posting.make(file, symbol, impact))
    assert.strictEqual(Posting.block(file) * Posting.BLOCK + Posting.file(posting), file)
    assert.strictEqual(Posting.symbol(posting), symbol)
    assert.strictEqual(Posting.impact(posting), impact)
    assert.isTrue(Posting.isOf(posting, file, symbol))
    assert.isFalse(Posting.isOf(posting, file + 1, symbol))
  })
})
