import { assert, describe, it } from "@effect/vitest"
import * as Cost from "../../src/model/Cost.ts"

const usage = { inputTokens: 1_000_000, outputTokens: 200_000, cachedTokens: 400_000, thinkingTokens: 150_000 }

describe("Cost.of", () => {
  it("is tokens times the price per million, with thinking included in the output", () => {
    assert.strictEqual(Cost.of({ ...usage, cachedTokens: 0 }, { input: 0.3, output: 2.5 }), 0.8)
  })

  it("charges cached input at its own price", () => {
    assert.strictEqual(Cost.of(usage, { input: 0.3, output: 2.5, cached: 0.03 }), 0.692)
  })

  it("charges cached input in full where it has no price of its own", () => {
    assert.strictEqual(Cost.of(usage, { input: 0.3, output: 2.5 }), 0.8)
  })

  it("never counts more cached tokens than input", () => {
    assert.strictEqual(Cost.of({ ...usage, inputTokens: 10, outputTokens: 0 }, { input: 1, output: 1, cached: 0 }), 0)
  })

  it("is unknown where the price is, also for no tokens", () => {
    assert.isUndefined(Cost.of(usage, undefined))
  })

  it("has no rounding errors of binary fractions", () => {
    assert.strictEqual(
      Cost.of({ ...usage, inputTokens: 3, outputTokens: 0, cachedTokens: 0 }, { input: 0.1, output: 0 }),
      3e-7,
    )
  })
})

describe("Cost.total", () => {
  it("is the sum, without rounding errors", () => {
    assert.strictEqual(Cost.total([0.1, 0.2]), 0.3)
    assert.strictEqual(Cost.total([]), 0)
  })

  it("is unknown where a part is", () => {
    assert.isUndefined(Cost.total([0.1, undefined, 0.2]))
  })
})

describe("Cost.inWords", () => {
  it("shows the significant digits, and that it is an estimate", () => {
    assert.deepStrictEqual([0, 0.0000031, 0.00446, 0.5, 12.345, undefined].map(Cost.describe), [
      "about $0.00",
      "about $0.0000031",
      "about $0.0045",
      "about $0.50",
      "about $12.35",
      "price unknown",
    ])
  })
})
