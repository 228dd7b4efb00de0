import { assert, describe, it } from "@effect/vitest"
import * as SymbolText from "../../../src/cli/project/SymbolText.ts"
import * as Style from "../../../src/cli/terminal/Style.ts"
import * as Coverage from "../../../src/indexing/Coverage.ts"
import { IndexEntry } from "../../../src/indexing/IndexEntry.ts"

const entry = new IndexEntry({
  path: "src/Forest.ts",
  name: "append",
  container: "Forest",
  kind: "method",
  startLine: 10,
  endLine: 20,
  signature: "append(node: Node): void",
  doc: "Adds a node.",
  exported: true,
  usedBy: 3,
  isMajor: true,
  hash: "h",
  purpose: { text: "Grows the tree", origin: "model", model: "google/gemini-2.5-flash", node: "n-1", stale: true },
})

const bare = new IndexEntry({ ...entry, container: undefined, doc: undefined, purpose: undefined })

describe("SymbolText.heading", () => {
  it("has the location, kind, name, signature and purpose with its origin", () => {
    assert.strictEqual(
      SymbolText.heading(entry, Style.plain),
      [
        "src/Forest.ts:10-20  method Forest.append",
        "  append(node: Node): void",
        "  Grows the tree (by google/gemini-2.5-flash; the code has changed since)",
      ].join("\n"),
    )
  })

  it("admits that there is no purpose", () => {
    assert.include(SymbolText.heading(bare, Style.plain), "(no purpose yet)")
  })

  it("hands no escape sequence of the code to the terminal", () => {
    const hostile = new IndexEntry({ ...entry, path: "a\x1b[2J.ts", signature: "f\x1b]0;x\x07()" })
    assert.notInclude(SymbolText.heading(hostile, Style.plain), "\x1b")
  })
})

describe("SymbolText.countLanguages", () => {
  it("counts files by language, most first, and leaves out those of none", () => {
    const files = ["go", "c", undefined, "go", "css"].map((language) => ({ language }))
    assert.deepStrictEqual(SymbolText.countLanguages(files), [
      { name: "go", files: 2 },
      { name: "c", files: 1 },
      { name: "css", files: 1 },
    ])
  })
})

describe("SymbolText.row", () => {
  it("has the purpose with its mark, and breaks between words on a terminal", () => {
    assert.deepStrictEqual(SymbolText.row(entry, Style.plain, 50).split("\n"), [
      "      10-20  method Forest.append  Grows the tree",
      "             (stale)",
    ])
    assert.strictEqual(SymbolText.row(bare, Style.plain), "      10-20  method append")
  })
})

describe("SymbolText.coverage", () => {
  it("is a share of the major symbols, and whole where there are none", () => {
    assert.strictEqual(SymbolText.coverage({ covered: 1, majorSymbols: 4 }), 0.25)
    assert.strictEqual(SymbolText.coverage({ covered: 0, majorSymbols: 0 }), 1)
  })
})

describe("SymbolText.statusText", () => {
  const status = {
    files: 3,
    partialFiles: 0,
    symbols: 4,
    purposes: { model: 1, comment: 0, derived: 0 },
    stale: 0,
    majorSymbols: 2,
    covered: 1,
    classes: Coverage.make({ code: { files: 3, symbols: 4, majorSymbols: 2, covered: 1 } }),
    bytesOnDisk: 2048,
  }

  const none = { languages: [], refusedFiles: 0 }
  const details = {
    languages: [{ name: "typescript", files: 3 }],
    notOutlined: none,
    updatedAt: "2026-11-23T08:00:00.000Z",
  }

  it("has the languages and the date of the index", () => {
    const text = SymbolText.statusText("/p", status, details)
    assert.include(text, "\nlanguages  typescript 3\n")
    assert.include(text, "\nupdated    2026-11-23T08:00:00.000Z")
    assert.notInclude(
      SymbolText.statusText("/p", status, { ...details, languages: [], updatedAt: undefined }),
      "updated",
    )
    assert.deepInclude(SymbolText.status("/p", status, details), {
      languages: { typescript: 3 },
      updatedAt: "2026-11-23T08:00:00.000Z",
    })
  })

  it("counts the code, and the other classes of files apart", () => {
    const classes = Coverage.make({
      code: { files: 3, symbols: 4, majorSymbols: 2, covered: 1 },
      test: { files: 9, symbols: 500, majorSymbols: 487, covered: 12 },
      documentation: { files: 1, symbols: 0, majorSymbols: 0, covered: 0 },
    })
    const text = SymbolText.statusText("/p", { ...status, files: 13, classes }, details)
    assert.include(text, "\nfiles      13: code 3, tests 9, documentation 1\n")
    assert.include(
      text,
      "\ncoverage   50% of 2 major symbols in code explained by a model or a comment; tests: 12 of 487\n",
    )
  })

  it("says so where no code has major symbols", () => {
    const classes = Coverage.make({ generated: { files: 3, symbols: 4, majorSymbols: 2, covered: 1 } })
    const text = SymbolText.statusText("/p", { ...status, classes }, details)
    assert.include(text, "\ncoverage   50% of 2 major symbols explained by a model or a comment\n")
    assert.include(text, "\nnote       no code has major symbols, so that all files count alike: generated 3\n")
  })

  it("names the languages without an outline, where there are any", () => {
    assert.notInclude(SymbolText.statusText("/p", status, details), "no outline")
    const notOutlined = { languages: [{ language: "ocaml", files: 12 }], refusedFiles: 1 }
    assert.include(
      SymbolText.statusText("/p", status, { ...details, notOutlined }),
      "\nno outline 12 ocaml files, 1 file too large, minified or broken\n",
    )
    assert.deepInclude(SymbolText.status("/p", status, { ...details, notOutlined }), { notOutlined })
  })

  it("counts the files that are only partly outlined, where there are any", () => {
    assert.notInclude(SymbolText.statusText("/p", status, details), "partial")
    assert.include(
      SymbolText.statusText("/p", { ...status, partialFiles: 1 }, details),
      "\npartial    1 file only partly outlined, listed by vibe index\n",
    )
    assert.deepInclude(SymbolText.status("/p", { ...status, partialFiles: 1 }, details), { partialFiles: 1 })
  })
})
