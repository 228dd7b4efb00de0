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

  it("breaks a title before its kind and name, and names behind their separators", () => {
    assert.deepStrictEqual(SymbolText.heading(bare, Style.plain, 24).split("\n").slice(0, 2), [
      "src/Forest.ts:10-20",
      "    method append",
    ])
    const long = new IndexEntry({ ...bare, path: "src/core/templaters/base.py", name: "should_process_unsafe" })
    assert.deepStrictEqual(SymbolText.title(long, Style.plain, 24).split("\n"), [
      "src/core/templaters/",
      "    base.py:10-20",
      "    method",
      "      should_process_",
      "      unsafe",
    ])
  })

  it("admits that there is no purpose", () => {
    assert.include(SymbolText.heading(bare, Style.plain), "(no purpose yet)")
  })

  it("hands no escape sequence of the code to the terminal", () => {
    const hostile = new IndexEntry({ ...entry, path: "a\x1b[2J.ts", signature: "f\x1b]0;x\x07()" })
    assert.notInclude(SymbolText.heading(hostile, Style.plain), "\x1b")
  })
})

describe("SymbolText.doc", () => {
  const docOf = (doc: string) => SymbolText.doc(new IndexEntry({ ...entry, doc }))

  it("leaves out the beginning of the comment that is the purpose", () => {
    const purpose = { text: "Adds a node to the tree.", origin: "comment", model: "", node: "", stale: false } as const
    const rest = (doc: string) => SymbolText.doc(new IndexEntry({ ...entry, doc, purpose }))
    assert.deepStrictEqual(rest("Adds a node\nto the tree.\n\nIt may fail.\n"), ["", "  It may fail."])
    assert.deepStrictEqual(rest("Adds a node to the tree.\n@param node"), ["", "  @param node"])
    assert.deepStrictEqual(rest("Adds a  node to the tree."), [])
    assert.deepStrictEqual(rest("Adds a node."), ["", "  Adds a node."])
  })

  it("prints a comment of up to 60 lines and 4,000 characters whole", () => {
    const lines = Array.from({ length: 60 }, (_, n) => `Line ${n}.`)
    assert.deepStrictEqual(docOf(lines.join("\n")), ["", ...lines.map((line) => `  ${line}`)])
  })

  it("prints the beginning of a longer one, and says how much is left and where", () => {
    const long = docOf(`${"One line.\n".repeat(99)}Last.`)
    assert.lengthOf(long, 62)
    assert.strictEqual(long.at(-1), "  and 40 more lines of its comment, at src/Forest.ts:10")
    const wide = docOf(`${"word ".repeat(160_000)}\nLast.`)
    assert.isBelow(wide.join("\n").length, 4_100)
    assert.strictEqual(wide.at(-1), "  and 1 more line of its comment, at src/Forest.ts:10")
    assert.strictEqual(docOf("word ".repeat(1_000)).at(-1), "  and more of its comment, at src/Forest.ts:10")
  })
})

describe("SymbolText.cut", () => {
  it("cuts behind a word, if one ends not far before", () => {
    assert.strictEqual(SymbolText.cut("allows for common methods", 14), "allows for…")
    assert.strictEqual(SymbolText.cut("allows for common methods", 11), "allows for…")
    assert.strictEqual(SymbolText.cut("short", 5), "short")
    assert.strictEqual(SymbolText.cut(`a ${"x".repeat(60)}`, 30), `a ${"x".repeat(27)}…`)
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

  it("marks a weak purpose", () => {
    const purpose = {
      text: "Grows",
      origin: "model",
      model: "a/b",
      node: "n",
      stale: false,
      weak: "fits others",
    } as const
    const weak = new IndexEntry({ ...entry, purpose })
    assert.include(SymbolText.row(weak, Style.plain), "method Forest.append  Grows (weak)")
    assert.include(SymbolText.heading(weak, Style.plain), "  Grows (by a/b; weak: fits others)")
    assert.deepInclude(SymbolText.purpose(weak), { purpose: "Grows", stale: false, weak: "fits others" })
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
    copies: 0,
    stale: 0,
    weak: 0,
    open: 1,
    majorSymbols: 2,
    covered: 1,
    classes: Coverage.make({ code: { files: 3, symbols: 4, majorSymbols: 2, covered: 1 } }),
    bytesOnDisk: 2048,
  }

  const none = { languages: [], refused: [], refusedFiles: 0 }
  const same = (path: string) => path
  const details = {
    languages: [{ name: "typescript", files: 3 }],
    notOutlined: none,
    unreadable: { files: 0, folders: 0, paths: [] },
    updatedAt: "2026-11-23T08:00:00.000Z",
  }

  it("has the languages and the date of the index", () => {
    const text = SymbolText.statusText("/p", status, details, same)
    assert.include(text, "\nlanguages  typescript 3\n")
    assert.include(text, "\nupdated    2026-11-23T08:00:00.000Z")
    assert.notInclude(
      SymbolText.statusText("/p", status, { ...details, languages: [], updatedAt: undefined }, same),
      "updated",
    )
    assert.deepInclude(SymbolText.status("/p", status, details), {
      languages: { typescript: 3 },
      updatedAt: "2026-11-23T08:00:00.000Z",
    })
  })

  it("shows what is explained, weak, stale and open in one line", () => {
    const text = SymbolText.statusText("/p", status, details, same)
    assert.include(text, "\nstate      1 explained, 0 weak, 0 stale, 1 open (major symbol in code)\n")
    const many = { ...status, purposes: { model: 40, comment: 7 }, stale: 2, weak: 3, open: 0 }
    assert.include(
      SymbolText.statusText("/p", many, details, same),
      "\nstate      42 explained, 3 weak, 2 stale (the code has changed since), 0 open\n",
    )
    assert.deepInclude(SymbolText.status("/p", many, details), { stale: 2, weak: 3, open: 0 })
  })

  it("says how many purposes by a model are those of copies", () => {
    const copies = { ...status, purposes: { model: 40, comment: 7 }, copies: 6 }
    assert.include(
      SymbolText.statusText("/p", copies, details, same),
      "\npurposes   40 by a model (6 of them for copies of the same source), 7 from comments\n",
    )
    assert.include(SymbolText.statusText("/p", status, details, same), "\npurposes   1 by a model, 0 from comments\n")
    assert.deepInclude(SymbolText.status("/p", copies, details), { copies: 6 })
  })

  it("says what explains what is open and what is weak, and nothing where all is well", () => {
    const next = (counts: Partial<typeof status>) => {
      const lines = SymbolText.statusText("/p", { ...status, open: 0, ...counts }, details, same).split("\n")
      return lines.slice(lines.findIndex((line) => line.startsWith("updated")) + 1)
    }
    const open = "vibe index . explains what is open (with --estimate: what that costs)"
    const weak = "vibe index . --refresh-weak asks again for what is weak"
    assert.deepStrictEqual(next({}), [])
    assert.deepStrictEqual(next({ open: 3 }), [`next       ${open}`])
    assert.deepStrictEqual(next({ weak: 6 }), [`next       ${weak}`])
    assert.deepStrictEqual(next({ open: 1, weak: 6 }), [`next       ${open}`, `           ${weak}`])
  })

  it("breaks lines between words, and languages between their counts", () => {
    const languages = ["restructuredtext", "toml", "json"].map((name, at) => ({ name, files: 43 + at }))
    const text = SymbolText.statusText("/p", status, { ...details, languages }, same, 42)
    assert.include(text, "\nlanguages  restructuredtext 43, toml 44,\n           json 45\n")
    assert.isTrue(text.split("\n").every((line) => line.length <= 42))
  })

  it("counts the code, and the other classes of files apart", () => {
    const classes = Coverage.make({
      code: { files: 3, symbols: 4, majorSymbols: 2, covered: 1 },
      test: { files: 9, symbols: 500, majorSymbols: 487, covered: 12 },
      documentation: { files: 1, symbols: 0, majorSymbols: 0, covered: 0 },
    })
    const text = SymbolText.statusText("/p", { ...status, files: 13, classes }, details, same)
    assert.include(text, "\nfiles      13: code 3, tests 9, documentation 1\n")
    assert.include(
      text,
      "\ncoverage   50% of 2 major symbols in code explained by a model or a comment; tests: 12 of 487\n",
    )
  })

  it("says so where no code has major symbols", () => {
    const classes = Coverage.make({ generated: { files: 3, symbols: 4, majorSymbols: 2, covered: 1 } })
    const text = SymbolText.statusText("/p", { ...status, classes }, details, same)
    assert.include(text, "\ncoverage   50% of 2 major symbols explained by a model or a comment\n")
    assert.include(text, "\nnote       no code has major symbols, so that all files count alike: generated 3\n")
  })

  it("names the languages without an outline, where there are any", () => {
    assert.notInclude(SymbolText.statusText("/p", status, details, same), "no outline")
    const notOutlined = { languages: [{ language: "ocaml", files: 12 }], refused: ["a.ts", "b.ts"], refusedFiles: 3 }
    assert.include(
      SymbolText.statusText("/p", status, { ...details, notOutlined }, same),
      "\nno outline 12 ocaml files, 3 files too large, minified or broken (a.ts, b.ts, …)\n",
    )
    assert.deepInclude(SymbolText.status("/p", status, { ...details, notOutlined }), { notOutlined })
  })

  it("names what could not be read, where there is any", () => {
    assert.notInclude(SymbolText.statusText("/p", status, details, same), "unreadable")
    const unreadable = { files: 1, folders: 2, paths: ["lib/", "src/x/", "a.ts"] }
    assert.include(
      SymbolText.statusText("/p", status, { ...details, unreadable }, same),
      "\nunreadable 1 file and 2 folders could not be read: lib/, src/x/, a.ts\n",
    )
    assert.deepInclude(SymbolText.status("/p", status, { ...details, unreadable }), { unreadable })
  })

  it("has no share of no symbols", () => {
    const empty = { ...status, symbols: 0, majorSymbols: 0, covered: 0, classes: Coverage.make({}) }
    assert.include(SymbolText.statusText("/p", empty, details, same), "\ncoverage   no major symbols\n")
  })

  it("counts the files that are only partly outlined, where there are any", () => {
    assert.notInclude(SymbolText.statusText("/p", status, details, same), "partial")
    assert.include(
      SymbolText.statusText("/p", { ...status, partialFiles: 1 }, details, same),
      "\npartial    1 file only partly outlined, listed by vibe index\n",
    )
    assert.deepInclude(SymbolText.status("/p", { ...status, partialFiles: 1 }, details), { partialFiles: 1 })
  })
})
