import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Posting from "../../src/search/Posting.ts"

const numbers = [
  FastCheck.nat(10 * Posting.FILES_PER_BLOCK),
  FastCheck.nat(Posting.MAX_SYMBOLS - 1),
  FastCheck.integer({ min: 1, max: Posting.MAX_IMPACT }),
] as const

describe("Posting", () => {
  it.prop("decodes to what was encoded", [...numbers], ([file, symbol, impact]) => {
    const [posting = 0] = Int32Array.of(Posting.encode(file, symbol, impact))
    assert.strictEqual(Posting.blockOf(file) * Posting.FILES_PER_BLOCK + Posting.fileInBlock(posting), file)
    assert.strictEqual(Posting.symbol(posting), symbol)
    assert.strictEqual(Posting.impact(posting), impact)
    assert.isTrue(Posting.isOf(posting, file, symbol))
    assert.isFalse(Posting.isOf(posting, file + 1, symbol))
  })
})
