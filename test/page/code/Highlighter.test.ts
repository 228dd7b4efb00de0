import { ruby } from "@codemirror/legacy-modes/mode/ruby"
import { parser } from "@lezer/javascript"
import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { fromGrammar, fromMode, type Highlighter } from "../../../src/page/code/Highlighter.ts"
import { highlighterOf, languageOf, loadHighlighter } from "../../../src/page/code/Languages.ts"

const textOf = (highlight: Highlighter, code: string) =>
  highlight(code)
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n")

const kindsOf = (highlight: Highlighter, code: string) =>
  highlight(code).flatMap((line) => line.filter(({ kind }) => kind !== "").map(({ kind, text }) => `${kind} ${text}`))

const code = fc
  .array(fc.oneof(fc.string(), fc.constantFrom("def f(a)", "=begin", "const a = `x", "${b}`", "// é", "<<~EOS", "'")))
  .map((lines) => lines.join("\n").replaceAll("\r", ""))

describe("the colours of code", () => {
  it("change no letter of any text, by a grammar and by a mode", () => {
    fc.assert(
      fc.property(code, (text) => {
        assert.strictEqual(textOf(fromGrammar(parser), text), text)
        assert.strictEqual(textOf(fromMode(ruby), text), text)
      }),
    )
  })

  it("name keywords, names, strings, numbers and comments", () => {
    assert.deepStrictEqual(kindsOf(fromGrammar(parser), 'const f = g("a", 1) // so'), [
      "tok-k const",
      "tok-f g",
      'tok-s "a"',
      "tok-n 1",
      "tok-c // so",
    ])
    assert.includeMembers(kindsOf(fromMode(ruby), 'def f\n  "a" # so\nend'), ["tok-k def", 'tok-s "a"', "tok-c # so"])
  })

  it("are loaded for a language by its name or extension, and are none for others", async () => {
    assert.isUndefined(highlighterOf("rb"))
    const found = await loadHighlighter("rb")
    assert.isDefined(found)
    assert.strictEqual(highlighterOf("Ruby"), found)
    assert.isUndefined(await loadHighlighter("no-such-language"))
    assert.strictEqual(languageOf("src/a.test.TS"), "ts")
    assert.strictEqual(languageOf("docker/Dockerfile"), "dockerfile")
  })

  it.each(
    "js ts tsx py go json css yaml html md rs java c cpp cs kt scala dart php rb sh swift lua toml ini dockerfile hs sql diff".split(
      " ",
    ),
  )("exist for %s", async (language) => {
    const highlight = await loadHighlighter(language)
    assert.isDefined(highlight)
    const text = 'class A { "text" }\n# 1\n'
    assert.strictEqual(highlight && textOf(highlight, text), text)
  })
})
