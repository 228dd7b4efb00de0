import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as CodeSyntax from "../../../../src/cli/View/terminal/CodeSyntax.ts"

/** The parts of lines that are not `other`, with their kinds. */
const parts = (language: string, ...lines: ReadonlyArray<string>) => {
  let state: CodeSyntax.State
  return lines.flatMap((line) => {
    const found = CodeSyntax.spans(line, language, state)
    state = found.state
    let at = 0
    return found.spans.flatMap(({ kind, length }) => {
      at += length
      return kind === "other" ? [] : [`${kind} ${line.slice(at - length, at)}`]
    })
  })
}

describe("CodeSyntax.spans", () => {
  it.each<readonly [language: string, line: string, expected: ReadonlyArray<string>]>([
    ["ts", 'const a = "x // y" // z', ["keyword const", 'string "x // y"', "comment // z"]],
    ["TypeScript title=a.ts", "return 0xff", ["keyword return", "number 0xff"]],
    ["js", "it's `a ${b}`", ["string `a ${b}`"]],
    ["rust", "fn f<'a>(s: &'a str)", ["keyword fn"]],
    ["python", "def f(): # it's", ["keyword def", "comment # it's"]],
    ["py", "x = '\\'' + name2", ["string '\\''"]],
    ["sh", 'echo "$#" a#b # c', ['string "$#"', "comment # c"]],
    ["sql", "SELECT a FROM b -- c", ["keyword SELECT", "keyword FROM", "comment -- c"]],
    ["json", '{ "a": [1, true] }', ['string "a"', "number 1", "keyword true"]],
    ["diff", "-old", ["removed -old"]],
    ["unheard-of", "const x = 1", []],
    ["", "const x = 1", []],
  ])("%s: %s", (language, line, expected) => {
    assert.deepStrictEqual(parts(language, line), expected)
  })

  it("goes on in the next line where a comment or a string does", () => {
    assert.deepStrictEqual(parts("ts", "/* a", "const b", "c */ const"), [
      "comment /* a",
      "comment const b",
      "comment c */",
      "keyword const",
    ])
    assert.deepStrictEqual(parts("py", 'x = """a', 'def""" + 1'), ['string """a', 'string def"""', "number 1"])
  })

  it("has spans as long as the line, for any text in any language", () => {
    const text = FastCheck.stringOf(FastCheck.constantFrom(..."ab1 \"'`#/*-.$\\{}é漢"))
    FastCheck.assert(
      FastCheck.property(
        text,
        FastCheck.constantFrom("ts", "py", "sh", "sql", "html", "diff", "x"),
        (line, language) => {
          const { spans } = CodeSyntax.spans(line, language, undefined)
          assert.strictEqual(
            spans.reduce((sum, { length }) => sum + length, 0),
            line.length,
          )
        },
      ),
    )
  })
})
