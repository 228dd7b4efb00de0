import { assert, describe, it } from "@effect/vitest"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as Export from "../../src/wiki/Export.ts"
import * as Markdown from "../../src/wiki/Markdown.ts"
import type { Citation, Page } from "../../src/wiki/Page.ts"
import type * as States from "../../src/wiki/States.ts"

const states: States.States = { of: (citation) => ({ state: "gone", citation, entry: undefined }) }

const page = (name: string, text: string): Page => ({
  name,
  kind: Markdown.kindOf(name),
  title: name,
  sections: [
    {
      form: "list",
      blocks: [[{ text, kind: "claim", author: "person", citations: [{ path: "a b.ts", symbol: "x" }] }]],
    },
  ],
})
const wiki = {
  pages: [
    page("loader", "Loads **all** of `a<b>`. </script><img src=x>"),
    page("index", "See [Loader](loader.md)."),
  ].map((each) => Markdown.fromPage(each)),
  states,
}

const fileIn = (files: ReadonlyArray<Export.ExportFile>, name: string): string =>
  files.find((file) => file.name === name)?.text ?? ""

describe("Export", () => {
  it("writes Markdown with the places in the code, and lists it for language models", () => {
    const files = Export.toMarkdown(wiki)
    assert.include(fileIn(files, "index.md"), "- See [Loader](loader.md). (`a b.ts x`) (gone)")
    assert.include(
      fileIn(files, "llms.txt"),
      "# index\n\n> See Loader.\n\n## Start\n\n- [index](index.md): See Loader.",
    )
    assert.include(fileIn(files, "llms-full.txt"), "# loader")
  })

  it("writes the place of the deciding symbol and the names of others, and nothing that the text names", () => {
    const entryAt = (startLine: number) =>
      new IndexEntry({
        path: "src/b.ts",
        name: "x",
        container: undefined,
        kind: "function",
        startLine,
        endLine: 90,
        signature: "x()",
        exported: true,
        usedBy: 0,
        isMajor: true,
        hash: "1",
      })
    const now: States.States = {
      of: (citation) => ({
        state: "holds",
        citation,
        entry: citation.symbol === undefined ? undefined : entryAt(citation.ordinal ?? 1),
      }),
    }
    const cited = (text: string, ...citations: ReadonlyArray<Citation>): Page => ({
      ...page("index", ""),
      sections: [{ form: "list", blocks: [[{ text, kind: "claim", author: "person", citations }]] }],
    })
    const at = (ordinal: number, path = "src/b.ts", symbol = "x") => ({ path, symbol, ordinal })
    const textOf = (shown: Page) =>
      fileIn(Export.toMarkdown({ pages: [Markdown.fromPage(shown)], states: now }), "index.md")
        .trim()
        .split("\n")
        .at(-1)
    assert.strictEqual(textOf(cited("It is.", at(3), at(9), at(3))), "- It is. (`src/b.ts:3 x`)")
    assert.strictEqual(textOf(cited("`x` is.", at(3), at(9, "src/c.ts", "C.y"))), "- `x` is. (`src/b.ts:3`, `C.y`)")
    assert.strictEqual(textOf(cited("`C.y` is.", at(3), at(9, "src/c.ts", "C.y"))), "- `C.y` is. (`src/b.ts:3 x`)")
    assert.strictEqual(textOf(cited("See `docs/a.md`.", { path: "docs/a.md" })), "- See `docs/a.md`.")
    assert.strictEqual(textOf(cited("See it.", { path: "docs/a.md" })), "- See it. (`docs/a.md`)")
    const four = ["a", "b", "c", "d"].map((name, ordinal) => at(ordinal, "src/b.ts", name))
    assert.strictEqual(textOf(cited("All.", ...four)), "- All. (`src/b.ts:0 a`, `b`, `c`)")
  })

  it("shows no picture to language models", () => {
    const drawn = {
      ...Markdown.fromPage(page("index", "It is.")),
      pictures: [{ title: "Uses", mermaid: "flowchart LR" }],
    }
    const files = Export.toMarkdown({ pages: [drawn], states })
    assert.include(fileIn(files, "index.md"), "flowchart")
    assert.notInclude(fileIn(files, "llms-full.txt"), "flowchart")
  })

  it("writes a site in which no text of a page is markup, and nothing is loaded from elsewhere", () => {
    const files = Export.toSite({ ...wiki, drawingOf: () => undefined })
    const loader = fileIn(files, "loader.html")
    assert.include(loader, "Loads <strong>all</strong> of <code>a&lt;b&gt;</code>. &lt;/script&gt;&lt;img src=x&gt;")
    assert.include(loader, '<small class="state">gone</small>')
    assert.include(fileIn(files, "index.html"), 'See <a href="loader.html">Loader</a>.')
    assert.notInclude(fileIn(files, "search.js"), "</script>")
    for (const { text } of files) assert.notMatch(text, /(?:src|href)="(?:https?:)?\/\//)
  })

  it("shows in a site the file and the line of a symbol as it is now behind its name, and none of one that is gone", () => {
    const entry = new IndexEntry({
      path: "src/b.ts",
      name: "x",
      container: undefined,
      kind: "function",
      startLine: 12,
      endLine: 20,
      signature: "x()",
      exported: true,
      usedBy: 0,
      isMajor: true,
      hash: "1",
    })
    const now: States.States = {
      of: () => ({ state: "moved", citation: { path: "src/b.ts", symbol: "x" }, entry }),
    }
    const shown = Export.toSite({ ...wiki, states: now, drawingOf: () => undefined })
    assert.include(fileIn(shown, "loader.html"), '<code class="cited" title="src/b.ts:12">x b.ts:12</code>')
    const gone = Export.toSite({ ...wiki, drawingOf: () => undefined })
    assert.include(fileIn(gone, "loader.html"), '<code class="cited" title="a b.ts">x</code>')
  })
})
