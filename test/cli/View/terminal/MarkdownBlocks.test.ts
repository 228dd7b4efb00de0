import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { Block, Parser, parse } from "../../../../src/cli/View/terminal/MarkdownBlocks.ts"

const prose = (text: string, isTight = false) => Block.Prose({ text, isTight })

const code = (language: string | undefined, lines: ReadonlyArray<string>, isClosed = true) =>
  Block.Code({
    language: language ?? "",
    isFirst: language !== undefined,
    state: undefined,
    lines,
    isClosed,
    isTight: language === undefined,
  })

describe("MarkdownBlocks", () => {
  it("separates paragraphs, headings, list items and code", () => {
    assert.deepStrictEqual(
      parse("# Head\nOne\ntwo.\n\n\nThree:\n- a\n  b\n- c\n\n- d\n\n  e\n```js\nx\n\ny\n```\nend"),
      [
        prose("# Head"),
        prose("One\ntwo."),
        prose("Three:"),
        prose("- a\n  b", true),
        prose("- c", true),
        prose("- d\n\n  e"),
        code("js", ["x", "", "y"]),
        prose("end"),
      ],
    )
  })

  it("keeps code in its list item, and tables and quotes in one block", () => {
    const texts = ["1. a\n\n   ```\n   x\n\n   y\n   ```\n   b", "| a |\n|---|\n| 1 |", "> a\n> b", "    indented"]
    for (const text of texts) assert.deepStrictEqual(parse(text), [prose(text)])
  })

  it("starts a list with a number only where Markdown allows it", () => {
    assert.deepStrictEqual(parse("It was in\n1984. And so on."), [prose("It was in\n1984. And so on.")])
    assert.deepStrictEqual(parse("As in\n1. this"), [prose("As in"), prose("1. this", true)])
  })

  it("divides long code, and ends code without a closing fence", () => {
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`)
    assert.deepStrictEqual(parse(`~~~~\n${lines.join("\n")}`), [
      code("", lines.slice(0, 8), false),
      code(undefined, lines.slice(8, 16), false),
      code(undefined, lines.slice(16)),
    ])
  })

  it("has what a part of long code begins in", () => {
    const blocks = parse(`\`\`\`ts\n/* one\n${"two\n".repeat(9)}*/ x\n\`\`\``)
    const states = blocks.map((block) => (block._tag === "Code" ? block.state : undefined))
    assert.deepStrictEqual(states, [undefined, { kind: "comment", end: "*/" }])
    assert.deepStrictEqual(blocks[1], { ...code(undefined, ["two", "two", "*/ x"]), language: "ts", state: states[1] })
  })

  it("finishes a block when the next begins, and has the open one", () => {
    const parser = new Parser()
    assert.deepStrictEqual(parser.push("One\n\n"), [])
    assert.deepStrictEqual(parser.open, prose("One\n"))
    assert.deepStrictEqual(parser.push("two"), [])
    assert.deepStrictEqual(parser.open, prose("One\n\ntwo"))
    assert.deepStrictEqual(parser.push("\n"), [prose("One")])
    assert.deepStrictEqual(parser.push("```ts\nx\n``"), [prose("two")])
    assert.deepStrictEqual(parser.open, code("ts", ["x"], false))
    assert.deepStrictEqual(parser.push("`\n"), [code("ts", ["x"])])
    assert.isUndefined(parser.open)
    assert.deepStrictEqual(parser.end(), [])
  })

  it("leaves out the marks around a PRD, and ends a block at them, but not in code", () => {
    assert.deepStrictEqual(
      parse("Here:\n[PRD]\n# PRD: A\n- [ ] one\n[/PRD]\nThat is it, [PRD] and all.\n```\n[PRD]\n```"),
      [prose("Here:"), prose("# PRD: A"), prose("- [ ] one"), prose("That is it, [PRD] and all."), code("", ["[PRD]"])],
    )
    const parser = new Parser()
    parser.push("- [ ] one\n[/P")
    assert.deepStrictEqual(parser.open, prose("- [ ] one\n"))
    parser.push("lan]")
    assert.deepStrictEqual(parser.open, prose("- [ ] one\n[/Plan]"))
  })

  it("gives the same blocks however a text is divided, and loses no text", () => {
    const line = FastCheck.constantFrom(
      "",
      "",
      "a b",
      "- a",
      "  c",
      "1. x",
      "# h",
      "```",
      "~~~ts",
      "    y",
      "| a |",
      "> q",
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(line), FastCheck.array(FastCheck.nat(9)), (lines, cuts) => {
        const text = lines.join("\n")
        const parser = new Parser()
        let rest = text
        const read = cuts.flatMap((length) => {
          const blocks = parser.push(rest.slice(0, length))
          rest = rest.slice(length)
          return blocks
        })
        const blocks = [...read, ...parser.push(rest), ...parser.end()]
        assert.deepStrictEqual(blocks, parse(text))
        const words = blocks.flatMap((block) => (block._tag === "Code" ? block.lines : [block.text])).join("\n")
        const letters = (text: string) => text.replaceAll(/^\s*(```|~~~ts)$/gm, "").replaceAll(/\s/g, "")
        assert.strictEqual(letters(words), letters(text))
      }),
    )
  })
})
