import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { wrap } from "../../../src/cli/terminal/wrap.ts"

describe("wrap", () => {
  it("breaks at spaces", () => {
    assert.deepStrictEqual(wrap("one two three", 8), ["one two", "three"])
    assert.deepStrictEqual(wrap("short", 8), ["short"])
    assert.deepStrictEqual(wrap("", 8), [""])
  })

  it("breaks a word only where it is longer than a line", () => {
    assert.deepStrictEqual(wrap("a abcdefghij", 4), ["a", "abcd", "efgh", "ij"])
  })

  it("keeps the indentation of code on the first line", () => {
    assert.deepStrictEqual(wrap("    const x = 1", 12), ["    const x", "= 1"])
  })

  it("does not break a character in two", () => {
    assert.deepStrictEqual(wrap("😀😀😀", 3), ["😀", "😀", "😀"])
  })

  it.prop(
    "loses nothing but spaces, and is never too wide",
    [FastCheck.string(), FastCheck.integer({ min: 2, max: 20 })],
    ([text, width]) => {
      const lines = wrap(text, width)
      assert.strictEqual(lines.join("").replaceAll(/\s/g, ""), text.replaceAll(/\s/g, ""))
      assert.isTrue(lines.every((line) => line.length <= width))
    },
  )
})
