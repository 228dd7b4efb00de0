import { assert, describe, it } from "@effect/vitest"
import * as ScrollbackItem from "../../../../src/cli/View/terminal/ScrollbackItem.ts"
import * as Theme from "../../../../src/cli/View/terminal/Theme.ts"

/** The rows of an answer, without white space at their ends. */
const rows = (text: string, columns = 80, theme: Theme.Theme = Theme.plain): ReadonlyArray<string> =>
  ScrollbackItem.answer(text, theme)
    .flatMap((item) => item.render(columns))
    .map((row) => row.trimEnd())
    .slice(1)

const table = `| Name | Price | Note |
|:-----|------:|:----:|
| tea | 1.5 | **hot** |
| a \\| b | 12 | |`

describe("ScrollbackItem.answer", () => {
  it("shows headings of every level without their marks", () => {
    assert.deepStrictEqual(rows("# One\n\n### Three\n\n###### Six `###`"), ["One", "", "Three", "", "Six `###`"])
  })

  it("strikes through where the terminal has styles", () => {
    assert.deepStrictEqual(rows("~~old~~ new"), ["~~old~~ new"])
    assert.deepStrictEqual(rows("~~old~~ new", 80, Theme.coloured), ["\u001b[9mold\u001b[29m new"])
  })

  it("aligns the columns of a table as it says, with one rule below the header", () => {
    assert.deepStrictEqual(rows(table), [
      "Name  │ Price │ Note",
      "──────┼───────┼─────",
      "tea   │   1.5 │ hot",
      "a | b │    12 │",
    ])
  })

  it("shows the words above a table, and text with bars that is none", () => {
    assert.deepStrictEqual(rows("These:\n| a | b |\n|---|---|\n| 1 | 2 |"), ["These:", "", "a │ b", "──┼──", "1 │ 2"])
    assert.deepStrictEqual(rows("a | b\nc | d"), ["a | b", "c | d"])
  })

  it("breaks lines in the widest columns, and shows a table row by row that is too wide for the terminal", () => {
    const wide = `| Key | Text |\n|---|---|\n| one | ${"some words ".repeat(4)}|\n| two | x |`
    assert.deepStrictEqual(rows(wide, 30), [
      "Key │ Text",
      "────┼─────────────────────────",
      "one │ some words some words",
      "    │ some words some words",
      "two │ x",
    ])
    const many = `|${"long header|".repeat(5)}\n|${"---|".repeat(5)}\n|${"cell|".repeat(5)}\n|${"other|".repeat(5)}`
    const shown = rows(many, 40)
    assert.deepStrictEqual(shown.slice(0, 2), ["long header: cell", "long header: cell"])
    assert.strictEqual(shown[5], "────────")
    assert.isAtMost(Math.max(...shown.map(({ length }) => length)), 40)
  })

  it("colours code, also where a line is divided and where a part of long code begins in a comment", () => {
    const code = `\`\`\`ts\nconst aVeryLongName = "${"x".repeat(20)}"\n/*\n${"c\n".repeat(9)}*/\n\`\`\``
    const coloured = rows(code, 20, Theme.coloured)
    assert.strictEqual(coloured[1], "\u001b[35mconst\u001b[39m aVeryLongName")
    assert.strictEqual(coloured[2], `= \u001b[32m"${"x".repeat(17)}\u001b[39m`)
    assert.strictEqual(coloured[3], '\u001b[32mxxx"\u001b[39m')
    assert.lengthOf(
      coloured.filter((row) => row === "\u001b[2mc\u001b[22m"),
      9,
    )
    assert.include(rows(code, 20), "const aVeryLongName")
  })
})
