import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as DisplayWidth from "../../src/base/DisplayWidth.ts"

describe("DisplayWidth.width", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 1],
    ["漢字", 4],
    ["カナ", 4],
    ["한글", 4],
    ["ＡＢ", 4],
    ["😀", 2],
    ["👨‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["1️⃣", 2],
    ["→", 1],
    ["\u200d", 0],
  ])("of %j is %i", (text, width) => {
    assert.strictEqual(DisplayWidth.width(text), width)
  })
})

describe("DisplayWidth.cut", () => {
  it.each([
    ["abcdef", 6, "abcdef"],
    ["abcdef", 5, "abcd…"],
    ["漢字漢字", 8, "漢字漢字"],
    ["漢字漢字", 7, "漢字漢…"],
    ["漢字漢字", 6, "漢字…"],
    ["👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"],
    ["ab", 1, "…"],
  ])("cuts %j at %i columns to %j", (text, width, expected) => {
    assert.strictEqual(DisplayWidth.cut(text, width), expected)
  })

  it("is never wider than asked, and never ends in the middle of a character", () => {
    const character = FastCheck.constantFrom("a", "漢", "😀", "👨‍👩‍👧", "e\u0301", "🇩🇪", " ")
    FastCheck.assert(
      FastCheck.property(FastCheck.array(character), FastCheck.integer({ min: 1, max: 20 }), (characters, width) => {
        const text = characters.join("")
        const cut = DisplayWidth.cut(text, width)
        assert.isAtMost(DisplayWidth.width(cut), width)
        if (cut === text) return
        const count = Array.from(new Intl.Segmenter().segment(cut)).length - 1
        assert.strictEqual(cut, `${characters.slice(0, count).join("")}…`)
      }),
    )
  })
})
