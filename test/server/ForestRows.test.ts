import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { width } from "../../src/base/DisplayWidth.ts"
import { around } from "../../src/server/ForestRows.ts"

const words = fc.array(fc.stringMatching(/^[b-y]{1,12}$/), { maxLength: 200 }).map((all) => all.join(" "))

describe("an excerpt of a message", () => {
  it("is a short text as it is, in one line", () => {
    assert.strictEqual(around("Retry\n\n  the\trequest. ", ["request"]), "Retry the request.")
    assert.strictEqual(around("", ["request"]), "")
  })

  it("has a term, wherever that is, also as the beginning of a word", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const text = `${before} ZEBRA-crossing ${after}`
        for (const terms of [["zebra"], ["zeb*"], ["missing", "zebra"]]) assert.include(around(text, terms), "ZEBRA")
      }),
    )
  })

  it("is one line of well-formed characters that fits, of any text", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme", minLength: 100, maxLength: 400 }),
    )
    fc.assert(
      fc.property(texts, fc.array(fc.string({ minLength: 1 })), (text, terms) => {
        const excerpt = around(text, terms)
        assert.isTrue(excerpt.isWellFormed())
        assert.isAtMost(width(excerpt), 161)
        assert.notMatch(excerpt, /[\n\r]/)
      }),
    )
  })

  it("begins at the first of several terms, also where that is the first word", () => {
    const text = `Zebra ${"word ".repeat(100)}lion`
    assert.match(around(text, ["lion", "zebra"]), /^Zebra word/)
    assert.match(around(text, ["lion"]), /^….* lion$/)
  })

  it("cuts no character in two", () => {
    for (let n = 80; n < 90; n++)
      assert.notInclude(around(`${"x".repeat(n % 2)}${"😀".repeat(n)} zebra`, ["zebra"]), "�")
  })

  it("shows a term after characters with a longer lower case", () => {
    assert.include(around(`${"İ".repeat(300)} zebra ${"x ".repeat(200)}`, ["zebra"]), "zebra")
  })

  it("of a text without the terms is its beginning, which says that there is more", () => {
    const excerpt = around(`First ${"word ".repeat(100)}`, ["zebra"])
    assert.match(excerpt, /^First .*…$/)
  })

  it("does not read all of a message of 50 MB", () => {
    assert.notInclude(around(`${"word ".repeat(10_000_000)} zebra`, ["zebra"]), "zebra")
  })
})
