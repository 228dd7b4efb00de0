import { assert, describe, it } from "@effect/vitest"
import * as Style from "../../src/base/Style.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import * as SymbolText from "../../src/lookup/SymbolText.ts"

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
    const plain = new IndexEntry({ ...bare, isSelfExplanatory: true })
    assert.include(SymbolText.heading(plain, Style.plain), "(name and signature say what it is for)")
    const commented = new IndexEntry({ ...bare, doc: "Creates one." })
    assert.include(SymbolText.heading(commented, Style.plain), "(no purpose yet; its comment says:)")
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

describe("SymbolText.usedBy", () => {
  it("says once how to see what is left out", () => {
    const references = Array.from({ length: 12 }, (_, n) => ({ path: `src/${n}.ts`, line: 1, symbol: "run" }))
    const lines = SymbolText.usedBy({ references, mentions: [] }, Style.plain, SymbolText.UNLIMITED, "see --callers")
    assert.strictEqual(lines.at(-1), "    and 2 more symbols: see --callers")
  })
})
