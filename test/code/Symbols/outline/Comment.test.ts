import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Comment from "../../../../src/code/Symbols/internal/outline/Comment.ts"

/** The doc of `symbol` in a text with comments and `@annotations` that are found by their form. */
const docIn = (text: string): string | undefined => {
  const asides = [...text.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|@\w+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    isComment: !match[0].startsWith("@"),
  }))
  return Comment.docAbove(text, asides, text.indexOf("symbol"))
}

describe("the comment above", () => {
  it.each([
    ["a block", "/** Says. */\nsymbol", "Says."],
    ["a block of lines", "/**\n * Says.\n *\n *   - more\n */\nsymbol", "Says.\n\n  - more"],
    ["a block without stars", "/* Says\n   more.\n*/\nsymbol", "Says\nmore."],
    ["lines", "// Says\n//   more.\nsymbol", "Says\n  more."],
    ["lines of three slashes", "/// Says.\n//! More.\nsymbol", "Says.\nMore."],
    ["what stands above annotations", "/** Says. */\n@One\n@Two symbol", "Says."],
    ["what stands above words that lead to it", "// Says.\n  export const symbol", "Says."],
    ["the doc above a note to whoever edits", "/** Says. */\n// careful here\nsymbol", "Says."],
    ["the doc above a word to a tool", "/** Says. */\n/* eslint-disable-next-line x */\nsymbol", "Says."],
    ["lines without rulers and words to tools", "// -----\n// Says.\n// @ts-expect-error\nsymbol", "Says."],
    ["the nearest block", "/** File. */\n/** Says. */\nsymbol", "Says."],
  ])("is %s", (_, text, doc) => {
    assert.strictEqual(docIn(text), doc)
  })

  it.each([
    ["beyond a blank line", "/** Header. */\n\nsymbol"],
    ["behind other code", "other // about other\nsymbol"],
    ["beyond other code", "/** Other. */\nother\nsymbol"],
    ["of a license at the top", "// Copyright 2020 Somebody\n// All rights\nsymbol"],
    ["of nothing but marks", "/** */\nsymbol"],
    ["of a ruler with a title", "/* ------ Section ------ */\nsymbol"],
  ])("is none %s", (_, text) => {
    assert.isUndefined(docIn(text))
  })

  it("says the same in every style", () => {
    const line = FastCheck.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,4}$/)
    FastCheck.assert(
      FastCheck.property(FastCheck.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
        const doc = lines.join("\n")
        const starred = `/**\n${lines.map((line) => ` * ${line}`).join("\r\n")}\n */`
        assert.strictEqual(Comment.toPlainText([starred]), doc)
        assert.strictEqual(Comment.toPlainText([`=begin\n${doc}\n=end`]), doc)
        for (const mark of ["//", "///", "//!", "#", "##"]) {
          assert.strictEqual(Comment.toPlainText(lines.map((line) => `${mark} ${line}`)), doc)
        }
      }),
    )
  })
})
