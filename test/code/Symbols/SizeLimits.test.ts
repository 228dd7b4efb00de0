import { assert, describe, it } from "@effect/vitest"
import * as SizeLimits from "../../../src/code/Symbols/internal/SizeLimits.ts"

describe("what is not worth parsing", () => {
  it("is a text over a million characters", () => {
    assert.strictEqual(SizeLimits.refuseText("a\n".repeat(1_550_000)), "too large to outline (3.1 MB)")
    assert.isUndefined(SizeLimits.refuseText("a\n".repeat(500_000)))
  })

  it("is a line of over 20,000 characters in a text over 200,000", () => {
    const lines = "short\n".repeat(40_000)
    assert.strictEqual(SizeLimits.refuseText(`${lines}${"x".repeat(123_456)}`), "a line of 123,456 characters")
    assert.strictEqual(SizeLimits.refuseText(`${"x".repeat(20_001)}\n${lines}`), "a line of 20,001 characters")
    assert.isUndefined(SizeLimits.refuseText(`${lines}${"x".repeat(20_000)}\n`))
    assert.isUndefined(SizeLimits.refuseText("x".repeat(200_000)))
  })

  it("is binary", () => {
    assert.strictEqual(SizeLimits.refuseText("a\0b"), "binary content")
    assert.isUndefined(SizeLimits.refuseText(""))
  })
})

describe("what is not worth walking", () => {
  it("is a tree of over half a million nodes", () => {
    assert.strictEqual(SizeLimits.refuseTree(1_499_902), "too dense to outline (1,499,902 nodes)")
    assert.isUndefined(SizeLimits.refuseTree(500_000))
  })
})
