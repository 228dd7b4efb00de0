import { assert, describe, it } from "@effect/vitest"
import { firstSentence } from "../../../src/conversation/slash/Tools.ts"

describe("firstSentence", () => {
  it("ends at a full stop, not at the end of a line, at a colon or in parentheses", () => {
    for (const [text, sentence] of [
      ["Finds functions by their exact text:\nnames. More.", "Finds functions by their exact text: names."],
      [
        "Searches (RE2 syntax: no lookahead. Slow.) for text. More.",
        "Searches (RE2 syntax: no lookahead. Slow.) for text.",
      ],
      ["Reads a file, e.g. a.ts. More.", "Reads a file, e.g. a.ts."],
      ["Reads", "Reads"],
    ] as const) {
      assert.strictEqual(firstSentence(text), sentence)
    }
    assert.strictEqual(firstSentence("x".repeat(1000)).length, 200)
  })
})
