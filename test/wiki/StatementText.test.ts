import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as StatementText from "../../src/wiki/StatementText.ts"
import { cases } from "../thoroughness.ts"

describe("StatementText.sanitize", () => {
  const becomes = (text: string, expected: string) => assert.strictEqual(StatementText.sanitize(text), expected)

  it("keeps words, code and emphasis on one line", () => {
    becomes("Reads *all*\n`Array<string>` lines.", "Reads *all* `Array<string>` lines.")
    becomes("A < b, and snake_case.", "A < b, and snake_case.")
  })

  it("takes away HTML, images, links and what looks like a citation", () => {
    becomes("<img src=x onerror=alert(1)>", "\\<img src=x onerror=alert(1)>")
    becomes("![a](b.png)", "!\\[a\\](b.png)")
    becomes("[Click](https://evil.example/x)", "\\[Click\\](`https://evil.example/x`)")
    becomes("See https://evil.example.", "See `https://evil.example`.")
    becomes("Loads it. [setup] [load]", "Loads it. \\[setup\\] \\[load\\]")
    becomes("\\\\[a]", "\\\\\\[a\\]")
  })

  it("keeps a link to another page of the wiki", () => {
    becomes("[Loader](loader.md): loads.", "[Loader](loader.md): loads.")
    assert.strictEqual(StatementText.linkToPage("The [big] loader", "loader"), "[The big loader](loader.md)")
  })

  it("takes away control characters and invisible ones", () => {
    becomes("a\u001b[31mb\u0000c\u202ed\u2028e", "abcd e")
  })

  it("begins no heading, list, quotation or table", () => {
    becomes("# Title", "\\# Title")
    becomes("- item", "\\- item")
    becomes("1. step", "1\\. step")
    becomes("> quoted", "\\> quoted")
    becomes("---", "\\---")
    becomes("``` js", "\\`\\`\\` js")
  })

  it("changes nothing in its own result, and is empty only for nothing", () => {
    const marks = FastCheck.stringOf(FastCheck.constantFrom(..."ab `[]()\\#-*<>!1.:/\n", "https://a.b", "x.md"))
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(marks, FastCheck.fullUnicodeString()), (text) => {
        const once = StatementText.sanitize(text)
        assert.strictEqual(StatementText.sanitize(once), once)
        assert.strictEqual(StatementText.toLine(once), once)
      }),
      { numRuns: cases(500) },
    )
    assert.strictEqual(StatementText.sanitize(" \n\u200b"), "")
  })
})

describe("StatementText.toLine", () => {
  it("keeps the lines of a fenced block, without white space at their ends, as a page does", () => {
    assert.strictEqual(StatementText.toLine("```sh \n  npm test\t\n \n```"), "```sh\n  npm test\n\n```")
    assert.strictEqual(StatementText.toLine(" npm\n test "), "npm test")
  })
})

describe("StatementText.toPlain", () => {
  it("removes the marks of Markdown but those of code", () => {
    assert.strictEqual(
      StatementText.toPlain("[Loader](loader.md) **runs** *all* of `a*b*c` \\[x\\]"),
      "Loader runs all of `a*b*c` [x]",
    )
  })
})
