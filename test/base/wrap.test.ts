import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { unbroken, wrap, wrapHanging } from "../../src/base/wrap.ts"

describe("wrap", () => {
  it("breaks at spaces", () => {
    assert.deepStrictEqual(wrap("one two three", 8), ["one two", "three"])
    assert.deepStrictEqual(wrap("short", 8), ["short"])
    assert.deepStrictEqual(wrap("", 8), [""])
  })

  it("breaks a word only where it is longer than a line", () => {
    assert.deepStrictEqual(wrap("a abcdefghij", 4), ["a", "abcd", "efgh", "ij"])
  })

  it("breaks paths and names behind their separators", () => {
    assert.deepStrictEqual(wrap("src/core/rules/base.py", 16), ["src/core/rules/", "base.py"])
    assert.deepStrictEqual(wrap("_unsafe_process", 11), ["_unsafe_", "process"])
    assert.deepStrictEqual(wrap("see BaseSegment.class_types", 16), ["see", "BaseSegment.", "class_types"])
  })

  it("does not leave a line nearly empty for a separator", () => {
    assert.deepStrictEqual(wrap("_abcdefghijklmnop", 12), ["_abcdefghijk", "lmnop"])
  })

  it("keeps together what is to stay together", () => {
    assert.deepStrictEqual(wrap(["sql 2262", "yaml 2175"].map(unbroken).join(", "), 14), ["sql 2262,", "yaml 2175"])
    assert.deepStrictEqual(wrap(unbroken("as it is"), Number.POSITIVE_INFINITY), ["as it is"])
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

describe("wrapHanging", () => {
  it("has a margin before all lines but the first", () => {
    assert.deepStrictEqual(wrapHanging("one two three four", 9, 2), ["one two", "  three", "  four"])
    assert.deepStrictEqual(wrapHanging("short", 9, 2), ["short"])
  })
})
