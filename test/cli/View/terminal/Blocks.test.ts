import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { Block, of, Reader } from "../../../../src/cli/View/terminal/Blocks.ts"

const prose = (text: string, isTight = false) => Block.Prose({ text, isTight })

const code = (language: string | undefined, lines: ReadonlyArray<string>, isClosed = true) =>
  Block.Code({ language, lines, isClosed, isTight: language === undefined })

describe("Blocks", () => {
  it("parts paragraphs, headings, lists and code", () => {
    assert.deepStrictEqual(of("# Head\nOne\ntwo.\n\n\nThree:\n- a\n  b\n- c\n\n- d\n\n  e\n```js\nx\n\ny\n```\nend"), [
      prose("# Head"),
      prose("One\ntwo."),
      prose("Three:"),
      prose("- a\n  b", true),
      prose("- c", true),
      prose("- d\n\n  e"),
      code("js", ["x", "", "y"]),
      prose("end"),
    ])
  })

  it("leaves code of a list item in it, and tables and quotes whole", () => {
    const texts = ["1. a\n\n   ```\n   x\n\n   y\n   ```\n   b", "| a |\n|---|\n| 1 |", "> a\n> b", "    indented"]
    for (const text of texts) assert.deepStrictEqual(of(text), [prose(text)])
  })

  it("takes a number for the beginning of a list only where one can begin", () => {
    assert.deepStrictEqual(of("It was in\n1984. And so on."), [prose("It was in\n1984. And so on.")])
    assert.deepStrictEqual(of("As in\n1. this"), [prose("As in"), prose("1. this", true)])
  })

  it("settles long code in pieces, and ends what has no end", () => {
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`)
    assert.deepStrictEqual(of(`~~~~\n${lines.join("\n")}`), [
      code("", lines.slice(0, 8), false),
      code(undefined, lines.slice(8, 16), false),
      code(undefined, lines.slice(16)),
    ])
  })

  it("settles a block once another begins, and tells the one that is open", () => {
    const reader = new Reader()
    assert.deepStrictEqual(reader.read("One\n\n"), [])
    assert.deepStrictEqual(reader.open, prose("One\n"))
    assert.deepStrictEqual(reader.read("two"), [])
    assert.deepStrictEqual(reader.open, prose("One\n\ntwo"))
    assert.deepStrictEqual(reader.read("\n"), [prose("One")])
    assert.deepStrictEqual(reader.read("```ts\nx\n``"), [prose("two")])
    assert.deepStrictEqual(reader.open, code("ts", ["x"], false))
    assert.deepStrictEqual(reader.read("`\n"), [code("ts", ["x"])])
    assert.isUndefined(reader.open)
    assert.deepStrictEqual(reader.end(), [])
  })

  it("reads the same however a text is cut, and loses no word", () => {
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
        const reader = new Reader()
        let rest = text
        const read = cuts.flatMap((length) => {
          const blocks = reader.read(rest.slice(0, length))
          rest = rest.slice(length)
          return blocks
        })
        const blocks = [...read, ...reader.read(rest), ...reader.end()]
        assert.deepStrictEqual(blocks, of(text))
        const words = blocks.flatMap((block) => (block._tag === "Code" ? block.lines : [block.text])).join("\n")
        const letters = (text: string) => text.replaceAll(/^\s*(```|~~~ts)$/gm, "").replaceAll(/\s/g, "")
        assert.strictEqual(letters(words), letters(text))
      }),
    )
  })
})
