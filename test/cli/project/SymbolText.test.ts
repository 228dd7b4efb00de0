import { assert, describe, it } from "@effect/vitest"
import * as SymbolText from "../../../src/cli/project/SymbolText.ts"
import * as Style from "../../../src/cli/terminal/Style.ts"
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
  hash: "h",
  purpose: { text: "Grows the tree", origin: "model", model: "google/gemini-2.5-flash", node: "n-1", stale: true },
})

const bare = new IndexEntry({ ...entry, container: undefined, doc: undefined, purpose: undefined })

describe("SymbolText.hit", () => {
  it("is what `vibe query --json` promises", () => {
    assert.deepStrictEqual(SymbolText.hit({ entry, score: 1.5 }), {
      path: "src/Forest.ts",
      symbol: "Forest.append",
      kind: "method",
      startLine: 10,
      endLine: 20,
      score: 1.5,
      purpose: "Grows the tree",
      purposeOrigin: "model",
      stale: true,
    })
  })

  it("has null where there is no purpose", () => {
    assert.include(SymbolText.hit({ entry: bare, score: 0 }), { purpose: null, purposeOrigin: null, stale: false })
  })
})

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

describe("SymbolText.found", () => {
  const lines = (count: number, length: number) => Array.from({ length: count }, () => "b".repeat(length))
  const code = (entry: IndexEntry, lines: ReadonlyArray<string>) =>
    SymbolText.formatResult(entry, { firstLine: 9, lines }, Style.plain).split("\n").slice(3)

  it("numbers the lines, and cuts what no one can read", () => {
    assert.deepStrictEqual(code(entry, ["a", `\x1b[31m${"b".repeat(300)}`]), [
      "     9 │ a",
      `    10 │ ${"b".repeat(199)}…`,
    ])
  })

  it("has narrower lines where there is much to say, then fewer", () => {
    assert.deepStrictEqual(new Set(code(entry, lines(10, 60)).map((line) => line.length)), new Set([59]))
    assert.lengthOf(code(entry, lines(10, 60)), 10)
    const verbose = new IndexEntry({ ...entry, path: `${"a/".repeat(150)}a.ts`, signature: "s".repeat(500) })
    assert.isBelow(code(verbose, lines(10, 60)).length, 10)
  })

  it("has wider lines where it has the answer to itself, and no wider ones among many", () => {
    const widest = (count: number) => {
      const found = SymbolText.formatResult(entry, { firstLine: 9, lines: lines(10, 120) }, Style.plain, { count })
      return Math.max(
        ...found
          .split("\n")
          .slice(3)
          .map((line) => line.length),
      )
    }
    assert.strictEqual(widest(1), 129)
    assert.isBelow(widest(5), 80)
    assert.strictEqual(widest(50), widest(5))
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

describe("SymbolText on a terminal", () => {
  it("breaks purposes, signatures and code between words", () => {
    const lines = ["const delay = 1000 * 2 ** attempt // after any failure of the provider"]
    const text = SymbolText.formatResult(entry, { firstLine: 9, lines }, Style.plain, { columns: 50 })
    assert.deepStrictEqual(text.split("\n"), [
      "src/Forest.ts:10-20  method Forest.append",
      "  append(node: Node): void",
      "  Grows the tree (by google/gemini-2.5-flash; the",
      "  code has changed since)",
      "     9 │ const delay = 1000 * 2 ** attempt //",
      "       │ after any failure of the provider",
    ])
    assert.deepStrictEqual(SymbolText.row(entry, Style.plain, 50).split("\n"), [
      "      10-20  method Forest.append: Grows the tree",
      "             (by google/gemini-2.5-flash; the code",
      "             has changed since)",
    ])
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
