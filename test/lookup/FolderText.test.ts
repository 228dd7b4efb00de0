import { assert, describe, it } from "@effect/vitest"
import * as Style from "../../src/base/Style.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"
import type { IndexedFile } from "../../src/index/IndexStore.ts"
import * as FolderText from "../../src/lookup/FolderText.ts"

const file = (path: string, symbols: number, major: number): IndexedFile => ({
  path,
  language: "typescript",
  class: "code",
  symbols,
  major,
  open: 0,
  importance: 0,
  note: undefined,
  cut: undefined,
})

const symbol = (path: string, name: string, more: Partial<IndexEntry> = {}) =>
  new IndexEntry({
    path,
    name,
    kind: "function",
    startLine: 1,
    endLine: 9,
    signature: name,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
    ...more,
  })

const below = [file("src/a.ts", 1, 1), file("src/b.ts", 5, 4), file("src/c.json", 0, 0), file("src/deep/er/x.ts", 3, 2)]

const symbols = new Map([
  ["src/a.ts", [symbol("src/a.ts", "alone", { usedBy: 7 })]],
  [
    "src/b.ts",
    [
      symbol("src/b.ts", "minor", { isMajor: false, usedBy: 9 }),
      symbol("src/b.ts", "inside", { container: "B", kind: "method", usedBy: 5 }),
      symbol("src/b.ts", "B", { kind: "class" }),
      symbol("src/b.ts", "used", {
        usedBy: 1,
        purpose: { text: "Uses", origin: "comment", model: "", node: "", stale: true },
      }),
      symbol("src/b.ts", "last", { kind: "class", startLine: 5 }),
    ],
  ],
])

const folder = FolderText.make("src", below, (path) => symbols.get(path) ?? [])

describe("FolderText", () => {
  it("shows folders with symbols, then files with their main symbols, the most used first, and counts the rest", () => {
    assert.deepStrictEqual(FolderText.format(folder, (path) => path, Style.plain).split("\n"), [
      "src/  4 files, 9 symbols, 7 major",
      "",
      "src/deep/  1 file, 3 symbols, 2 major",
      "",
      "src/a.ts  1 symbol, 1 major",
      "        1-9  function alone",
      "",
      "src/b.ts  5 symbols, 4 major",
      "        1-9  function used  # Uses (stale)",
      "        1-9  class B",
      "        5-9  class last",
      "             and 2 more",
      "",
      "and 1 file without symbols",
    ])
  })

  it("counts folders and files without symbols in one line", () => {
    const text = FolderText.format(
      FolderText.make(".", [file("LICENSE", 0, 0), file("docs/a.md", 0, 0), file("src/deep/a.ts", 2, 1)], () => []),
      (path) => path,
      Style.plain,
    )
    assert.deepStrictEqual(text.split("\n"), [
      ".  3 files, 2 symbols, 1 major",
      "",
      "src/  1 file, 2 symbols, 1 major",
      "",
      "and 1 folder and 1 file without symbols",
    ])
  })

  it("lists the folders and files of a folder without any symbols", () => {
    const below = [file("docs/a.md", 0, 0), file("docs/b.md", 0, 0), file("docs/old/c.md", 0, 0)]
    const text = FolderText.format(
      FolderText.make("docs", below, () => []),
      (path) => path,
      Style.plain,
    )
    assert.deepStrictEqual(text.split("\n"), [
      "docs/  3 files",
      "",
      "docs/old/  1 file",
      "",
      "docs/a.md  typescript",
      "docs/b.md  typescript",
    ])
  })

  it("breaks no name in the middle of a word", () => {
    const text = FolderText.format(
      FolderText.make(
        "a",
        [file("a/very/deeply/nested/folder.ts", 1, 1), file("a/long-name-of-a-file.ts", 2, 1)],
        () => [],
      ),
      (path) => path,
      Style.plain,
      24,
    )
    assert.deepStrictEqual(text.split("\n"), [
      "a/  2 files, 3 symbols,",
      "    2 major",
      "",
      "a/very/  1 file, 1",
      "    symbol, 1 major",
      "",
      "a/long-name-of-a-file.ts",
      "    2 symbols, 1 major",
    ])
  })

  it("prints a part of a large folder, and how much more there is", () => {
    const many = [
      ...Array.from({ length: 30 }, (_, n) => file(`f${n}.ts`, n, n)),
      ...Array.from({ length: 30 }, (_, n) => file(`d${n}/f.ts`, n, n)),
    ]
    const text = FolderText.format(
      FolderText.make(".", many, () => []),
      (path) => path,
      Style.plain,
    )
    const lines = text.split("\n").filter((line) => line !== "")
    assert.strictEqual(lines[0], ".  60 files, 870 symbols, 870 major")
    assert.include(lines[1], "d29/  1 file")
    assert.strictEqual(lines[16], "and 14 more folders")
    assert.include(lines[17], "f29.ts  29 symbols")
    assert.deepStrictEqual(lines.slice(27), ["and 19 more files", "and 1 folder and 1 file without symbols"])
  })

  it("is what `vibe show --json` promises", () => {
    const { files, folders, ...rest } = FolderText.toJson(folder)
    assert.deepStrictEqual(rest, { folder: { path: "src", files: 4, symbols: 9, major: 7 } })
    assert.deepStrictEqual(folders, [{ path: "src/deep", files: 1, symbols: 3, major: 2 }])
    assert.deepInclude(files[2], { path: "src/c.json", symbols: 0, main: [] })
    assert.deepStrictEqual(files[0], {
      path: "src/a.ts",
      language: "typescript",
      symbols: 1,
      major: 1,
      main: [
        {
          path: "src/a.ts",
          symbol: "alone",
          kind: "function",
          startLine: 1,
          endLine: 9,
          purpose: null,
          purposeOrigin: null,
          weak: null,
          stale: false,
        },
      ],
    })
  })
})
