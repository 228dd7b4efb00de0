import { assert, describe, it } from "@effect/vitest"
import * as Evidence from "../../src/wiki/Evidence.ts"
import * as Markdown from "../../src/wiki/Markdown.ts"
import type { Page, Statement } from "../../src/wiki/Page.ts"

const setup = { path: "a.ts", symbol: "setup", hash: "h1", tokens: "t1" }
const load = { path: "b.ts", symbol: "load", ordinal: 1, hash: "h2" }

const written: Statement = {
  text: "Puts plugins on the path.",
  kind: "pointer",
  author: "model",
  model: "google/gemini",
  stale: "It does not.",
  citations: [setup, load],
}
const known: Statement = { text: "Says hello.", kind: "claim", author: "project", citations: [setup] }

const pageOf = (...statements: ReadonlyArray<Statement>): Page => ({
  name: "loader",
  kind: "part",
  title: "Loader",
  sections: [{ form: "list", blocks: statements.map((statement) => [statement] as const) }],
})

const textOf = (page: Page): string => Markdown.print(Markdown.fromPage(page))

/** Reads a page back from its text, with the evidence of `page`. */
const readBack = (text: string, page: Page): Page =>
  Evidence.join(
    Markdown.parse("loader", text).page,
    Evidence.parse(Evidence.render({ lines: Evidence.linesOf(page), invalid: [] })).lines,
  )

describe("Evidence", () => {
  it("brings back everything that the text of a page does not say", () => {
    const page = pageOf(written, known, { ...known, author: "model", model: "a/b", unchecked: "undecided" })
    assert.deepStrictEqual(readBack(textOf(page), page), page)
  })

  it("takes a statement for that of a person once its text has changed", () => {
    const page = pageOf(written, known)
    const [first, second] = readBack(textOf(page).replace("Says hello", "Says goodbye"), page).sections[0]?.blocks ?? []
    assert.deepStrictEqual(first, [written])
    assert.deepStrictEqual(second, [
      { text: "Says goodbye.", kind: "claim", author: "person", citations: [{ path: "a.ts", symbol: "setup" }] },
    ])
  })

  it("takes a statement for that of a person once it cites something else, and keeps the hashes that are known", () => {
    const page = pageOf(written)
    const [[statement] = []] = readBack(textOf(page).replace(" [setup]", ""), page).sections[0]?.blocks ?? []
    assert.deepStrictEqual(statement, { text: written.text, kind: "claim", author: "person", citations: [load] })
  })

  it("sorts its lines, and keeps those that it does not understand", () => {
    const lines = Evidence.linesOf(pageOf(written, known))
    const text = Evidence.render({ lines: [...lines].reverse(), invalid: ['{"page":"x","new":true}'] })
    assert.strictEqual(text, Evidence.render({ lines, invalid: ['{"page":"x","new":true}'] }))
    assert.deepStrictEqual(Evidence.parse(text).invalid, ['{"page":"x","new":true}'])
  })

  it("reads the lines of both sides of a merge conflict", () => {
    const [one = "", other = ""] = Evidence.render({ lines: Evidence.linesOf(pageOf(written, known)), invalid: [] })
      .trim()
      .split("\n")
    const parsed = Evidence.parse(`<<<<<<< ours\n${one}\n=======\n${other}\n>>>>>>> theirs\n`)
    assert.deepStrictEqual([parsed.lines.length, parsed.invalid], [2, []])
  })
})
