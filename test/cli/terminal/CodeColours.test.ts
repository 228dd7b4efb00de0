import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import * as Style from "../../../src/base/Style.ts"
import * as CodeColours from "../../../src/cli/terminal/CodeColours.ts"

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what begins a colour
const withoutColours = (text: string) => text.replace(/\x1b\[[\d;]*m/g, "")

const lines = fc.array(
  fc.oneof(fc.string(), fc.constantFrom("const a = 1 // one", '"""', "/* a", "b */ c", "return `x", "'", "#!/bin/sh")),
)
const paths = fc.constantFrom("a.ts", "a.py", "a.rs", "a.sql", "a.unknown", "Makefile")

describe("colours of code in the terminal", () => {
  it("change no letter of any code, whatever is marked in it", () => {
    fc.assert(
      fc.property(lines, paths, fc.string(), (code, path, question) => {
        fc.pre(!code.some((line) => line.includes("\x1b")))
        const paint = CodeColours.of(Style.coloured, question)?.paint(path)
        for (const line of code) assert.strictEqual(withoutColours(paint?.(line) ?? ""), line)
      }),
    )
  })

  it("go on from line to line, and end with each", () => {
    const paint = CodeColours.of(Style.coloured)?.paint("a.py")
    assert.strictEqual(paint?.('text = """one'), 'text = \x1b[32m"""one\x1b[39m')
    assert.strictEqual(paint?.('two""" + 3'), '\x1b[32mtwo"""\x1b[39m + \x1b[33m3\x1b[39m')
    assert.strictEqual(paint?.("return None # so"), "\x1b[35mreturn\x1b[39m \x1b[35mNone\x1b[39m \x1b[2m# so\x1b[22m")
  })

  it("mark the words of a question in every form that the search takes for them, also within a comment", () => {
    const colours = CodeColours.of(Style.coloured, "where are cookies signed")
    const mark = (text: string) => `\x1b[1;4m${text}\x1b[22;24m`
    assert.strictEqual(colours?.mark("It signs the cookie."), `It ${mark("signs")} the ${mark("cookie")}.`)
    assert.strictEqual(
      colours?.paint("a.ts")("setCookie(1) // a cookie"),
      `${mark("setCookie")}(\x1b[33m1\x1b[39m) \x1b[2m// a \x1b[22m${mark("cookie")}`,
    )
  })

  it("are none for a stream that shows none", () => {
    assert.isUndefined(CodeColours.of(Style.plain, "cookies"))
  })
})
