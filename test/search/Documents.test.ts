import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { splitText } from "../../src/search/Documents.ts"

/** A text of distinct characters, so that each part of it can be identified. */
const text = Array.from({ length: 40 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join("")

/** Symbols anywhere in the text and beyond, nested, apart or crossing, by their start and then from the outside in. */
const symbols = FastCheck.array(FastCheck.tuple(FastCheck.nat(50), FastCheck.nat(50))).map((pairs) =>
  pairs
    .map(([one, other]) => ({ start: Math.min(one, other), end: Math.max(one, other) }))
    .sort((one, other) => one.start - other.start || other.end - one.end),
)

const characters = (parts: ReadonlyArray<string>) => parts.flatMap((part) => Array.from(part.replaceAll("\n", "")))

describe("Documents.splitText", () => {
  it("gives a word to the innermost symbol around it", () => {
    const text = "import x; class A { a; m() { b } c } end"
    const range = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length })
    assert.deepStrictEqual(splitText(text, [range("class A { a; m() { b } c }"), range("m() { b }")]), {
      ofSymbols: ["class A { a; \n c }\n", "m() { b }\n"],
      outside: "import x; \n end\n",
    })
  })

  it.prop("gives each part of a text to one owner", [symbols], ([symbols]) => {
    const { ofSymbols, outside } = splitText(text, symbols)
    assert.deepStrictEqual(characters([...ofSymbols, outside]).toSorted(), Array.from(text).toSorted())
  })

  it.prop("gives a symbol no text outside of it", [symbols], ([symbols]) => {
    splitText(text, symbols).ofSymbols.forEach((part, position) => {
      const { end, start } = symbols[position] ?? { start: 0, end: 0 }
      assert.includeMembers(Array.from(text.slice(start, end)), characters([part]))
    })
  })
})
