import { assert, describe, it } from "@effect/vitest"
import { linkNames } from "../../../src/page/wiki/citations.ts"

const citation = (symbol: string | undefined, isGone = false) => ({
  path: "a.ts",
  symbol,
  label: symbol ?? "a.ts",
  isGone,
  line: 1,
})

const link = (text: string, ...citations: ReadonlyArray<ReturnType<typeof citation>>) => {
  const { others, text: linked } = linkNames(text, citations, ({ symbol }) => `#/${symbol}`)
  return [linked, others.map(({ symbol }) => symbol)]
}

describe("linkNames", () => {
  it("links the names that a text has as code, and leaves the other citations", () => {
    assert.deepStrictEqual(link("`open` calls close", citation("open"), citation("close"), citation(undefined)), [
      "[`open`](<#/open>) calls close",
      ["close", undefined],
    ])
  })

  it("links no name within a link, in longer code, or of a symbol that is gone", () => {
    for (const text of ["[the `open` page](x.md) and `open.all`", "``a `open` b``"]) {
      assert.deepStrictEqual(link(text, citation("open")), [text, ["open"]])
    }
    assert.deepStrictEqual(link("`open`", citation("open", true)), ["`open`", ["open"]])
  })

  it("links a name behind a bracket that is no link, and one after a link", () => {
    assert.deepStrictEqual(link("[a](b) and [not a link: `open`", citation("open")), [
      "[a](b) and [not a link: [`open`](<#/open>)",
      [],
    ])
  })
})
