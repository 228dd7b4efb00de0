import * as fc from "effect/FastCheck"
import { marked } from "marked"
import { assert, describe, it } from "vitest"
import { type Blocks, findBlocks, none, toSource } from "../../../src/page/conversation/blocks.ts"
import { cases } from "../../thoroughness.ts"

const pieces = [
  "# Title\n",
  "words and **more",
  "** words",
  "\n",
  "\n\n",
  "- item\n",
  "  - nested\n",
  "1. one\n",
  "```ts\n",
  "const a = 1\n",
  "```\n",
  "> quoted\n",
  "| a | b |\n",
  "| - | - |\n",
  "| 1 | 2 |\n",
  "---\n",
  "===\n",
  "<div>\n",
  "    indented\n",
  "\\",
  "`",
  "\t",
]

describe("findBlocks", () => {
  it("finds the same blocks in a text that streams in as in the whole", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (parts) => {
        let blocks: Blocks = none
        let text = ""
        for (const part of parts) {
          text += part
          blocks = findBlocks(text, blocks)
        }
        assert.deepStrictEqual(
          blocks.sources,
          marked.lexer(text).map(({ raw }) => raw),
          JSON.stringify(text),
        )
      }),
      { numRuns: cases(500), seed: 7 },
    )
  })

  it("keeps the blocks that are finished", () => {
    const before = findBlocks("one\n\ntwo\n\nthree\n\nfo")
    const after = findBlocks("one\n\ntwo\n\nthree\n\nfour\n\nfive", before)
    assert.deepStrictEqual(after.sources.slice(0, 3), before.sources.slice(0, 3))
    assert.strictEqual(after.sources.at(-1), "five")
  })

  it("begins anew with another text", () => {
    assert.deepStrictEqual(findBlocks("b", findBlocks("a\n\nc")).sources, ["b"])
  })

  it("gives a block the links that are defined below it", () => {
    const { definitions, sources } = findBlocks("see [it][1]\n\nmore\n\n[1]: https://example.com\n")
    assert.include(marked.parse(toSource(sources[0] ?? "", definitions)), 'href="https://example.com"')
    assert.strictEqual(toSource("more", definitions), "more")
  })
})
