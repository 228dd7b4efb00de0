import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as References from "../../src/code/References.ts"
import { nothing } from "../../src/code/Symbols/TreeSitter.ts"
import type { CodeSymbol } from "../../src/code/Symbols.ts"
import * as FileEntry from "../../src/index/FileEntry.ts"
import { cases } from "../thoroughness.ts"

const facts = (path: string, text: string) => FileEntry.factsOf(path, text, nothing)

const symbol: CodeSymbol = {
  name: "a",
  kind: "constant",
  container: undefined,
  startLine: 1,
  endLine: 1,
  start: 0,
  end: 1,
  signature: "a",
  doc: undefined,
  exported: true,
}

describe("FileEntry", () => {
  it("takes a file of code that declares nothing, with the comment at its head", () => {
    assert.deepStrictEqual(facts("src/index.ts", 'export * from "./a.ts"\nexport { b } from "./b.ts"\n'), {
      endLine: 2,
      doc: undefined,
      isDocumented: false,
      reexports: [],
    })
    const licensed = "// Copyright 2020 A. Nyone\n\n/* The reporters that a user can name. */\nexport * from './all'"
    assert.deepStrictEqual(facts("src/reporters.ts", licensed), {
      endLine: 4,
      doc: "The reporters that a user can name.",
      isDocumented: true,
      reexports: [],
    })
    assert.strictEqual(facts("pkg/__init__.py", '"""Reads feeds."""\n')?.doc, "Reads feeds.")
    assert.strictEqual(facts("lang/en/auth.php", "<?php\n\nreturn ['failed' => 'No such user'];\n")?.endLine, 3)
    assert.isDefined(facts("plugins/hub.bash", 'command -v hub && eval "$(hub alias -s)"\n'))
  })

  it.each([
    ["src/mod.rs", "//! Reads feeds.\npub use a::B;\n", true],
    ["src/index.ts", "/** Reads feeds. */\nexport * from './a'\n", true],
    ["pkg/__init__.py", '"""Reads feeds."""\n', true],
    ["src/Feeds.hs", "{- | Reads feeds. -}\nmodule Feeds (module Feeds.Read) where\n", true],
    ["src/mod.rs", "// Reads feeds.\npub use a::B;\n", false],
    ["src/index.ts", "export * from './a'\n", false],
    ["feeds.bash", "# Reads feeds.\nsource feeds-completion\n", false],
  ])("knows whether %s has documentation of its own", (path, text, isDocumented) => {
    assert.strictEqual(facts(path, text)?.isDocumented, isDocumented, text)
  })

  it("takes no data, prose or style sheet, nothing empty, and no file that has symbols or was not read to its end", () => {
    for (const path of ["a.json", "a.md", "a.css", "a.yaml", "Makefile", "a.unknown"]) {
      assert.isUndefined(facts(path, "words\n"), path)
    }
    assert.isUndefined(facts("a.py", " \n\n"))
    assert.isUndefined(facts("a.py", "# ---- 1\n"))
    assert.isUndefined(FileEntry.factsOf("a.ts", "export const a = 1", { ...nothing, symbols: [symbol] }))
    assert.isUndefined(FileEntry.factsOf("a.ts", "export * from './b'", { ...nothing, cut: "work" }))
    assert.isUndefined(FileEntry.factsOf("a.ts", "export * from './b'", { ...nothing, cut: "time" }))
    assert.isDefined(FileEntry.factsOf("a.ts", "export * from './b'", { ...nothing, cut: "syntax" }))
  })

  it.each<readonly [path: string, exports: ReadonlyArray<readonly [string, string]>, reexports: ReadonlyArray<string>]>(
    [
      [
        "src/mod.rs",
        [
          ["File", '"".file.File'],
          ["Handle", '"other_crate".Handle'],
        ],
        ["File", "Handle"],
      ],
      [
        "src/index.ts",
        [
          ["open", '"./open.ts".open'],
          ["close", '"pkg".close'],
          ["*", '"./all.ts"'],
        ],
        ["open", "close"],
      ],
      [
        "lib/index.js",
        [
          ["json", '"body-parser".json'],
          ["router", '"./router"'],
        ],
        ["json"],
      ],
      [
        "pkg/__init__.py",
        [
          ["Client", '".client".Client'],
          ["Session", '"..core".Session'],
          ["os", '"os"'],
          ["utils", '".".utils'],
        ],
        ["Client", "Session"],
      ],
    ],
  )("takes %s with one function if it re-exports more, with the names", (path, exports, reexports) => {
    const encode = (exports: ReadonlyArray<readonly [string, string]>) =>
      References.encode({
        ...{ bases: new Map(), values: new Map(), fields: [], members: [], extensions: [], parameters: [] },
        ...{ overloads: [], uses: [], exports: exports.map(([name, expression]) => ({ name, expression })) },
      })
    const outline = { ...nothing, symbols: [{ ...symbol, kind: "function" } as const] }
    const factsWith = (references: string, at = path) => FileEntry.factsOf(at, "words", { ...outline, references })
    assert.deepStrictEqual(factsWith(encode(exports))?.reexports, reexports)
    assert.isUndefined(factsWith(encode(exports.slice(0, 1))), "as many as it declares")
    assert.isUndefined(factsWith(encode(exports.map(([name, expression]) => [`-${name}`, expression]))), "private")
    assert.isUndefined(
      factsWith(
        encode([
          ["a", "#0"],
          ["b", "#0"],
        ]),
      ),
      "its own",
    )
    assert.isUndefined(factsWith(encode(exports), "pkg/module.py"), "no package")
    assert.isUndefined(factsWith(encode(exports), "Module.java"), "no re-exports in this language")
  })

  it("does not count modules that are files of their own as declared", () => {
    const modules = ["a", "b", "c"].map((name) => ({ ...symbol, name, kind: "module" }) as const)
    const references = 'e\tA\t"".a.A'
    const facts = (symbols: ReadonlyArray<CodeSymbol>) =>
      FileEntry.factsOf("src/mod.rs", "mod a;", { ...nothing, symbols, references })
    assert.deepStrictEqual(facts(modules)?.reexports, ["A"])
    assert.isUndefined(facts(modules.map((module) => ({ ...module, endLine: 9 }))))
  })

  it("is an entry from the first line to the last, with the first sentences of its comment for a purpose", () => {
    const entry = FileEntry.of("src/a/index.ts", { endLine: 7, doc: "Joins what the parts of the shop offer." })
    assert.isTrue(FileEntry.isFile(entry))
    assert.deepStrictEqual(
      [entry.qualifiedName, entry.startLine, entry.endLine, entry.isMajor, entry.purpose?.text],
      ["index.ts", 1, 7, false, "Joins what the parts of the shop offer."],
    )
    assert.strictEqual(entry.doc, "Joins what the parts of the shop offer.")
    const bare = FileEntry.of("src/a/index.ts", { endLine: 7, doc: undefined })
    assert.deepStrictEqual([bare.doc, bare.purpose], [undefined, undefined])
  })

  it("decodes what it has encoded, and refuses anything else", () => {
    const all = fc.record({
      endLine: fc.nat(),
      doc: fc.option(fc.string(), { nil: undefined }),
      isDocumented: fc.boolean(),
      reexports: fc.array(fc.string()),
    })
    fc.assert(
      fc.property(all, (facts) => assert.deepStrictEqual(FileEntry.decode(FileEntry.encode(facts)), facts)),
      { numRuns: cases(100) },
    )
    for (const damage of [
      '{"endLine":1,"doc":null,"reexports":[]}',
      null,
      "",
      "{}",
      '{"endLine":1,"doc":null}',
      '{"endLine":"1","doc":null,"reexports":[]}',
      "[]",
    ]) {
      assert.throws(() => FileEntry.decode(damage), undefined, undefined, String(damage))
    }
  })
})

describe("FileEntry.ofContent", () => {
  const content = { hash: "one", declared: ["function a", "function b"], endLine: 9 }
  const written = FileEntry.ofContent("src/a.ts", content, [])
  const line = {
    path: "src/a.ts",
    symbol: "a.ts",
    kind: "file",
    hash: written.hash,
    tokens: written.tokens,
    purpose: "Passes values on.",
    model: "scripted/test",
    node: "n-1",
  } as const

  it("shows what a model wrote of the file, until the file declares other things", () => {
    const isStale = (change: Partial<FileEntry.Content>) =>
      FileEntry.ofContent("src/a.ts", { ...content, ...change }, [line]).purpose?.stale
    assert.isFalse(isStale({}))
    assert.isFalse(isStale({ hash: "two", endLine: 12 }))
    assert.isTrue(isStale({ hash: "two", declared: ["function a"] }))
  })

  it("has no sentence of another file of that name, nor of a symbol", () => {
    const other = FileEntry.ofContent("lib/a.ts", content, [line])
    assert.notStrictEqual(other.hash, written.hash)
    assert.isUndefined(other.purpose)
    assert.isUndefined(
      FileEntry.ofContent("src/a.ts", { ...content, hash: "two", declared: [] }, [{ ...line, kind: "function" }])
        .purpose,
    )
  })
})

describe("the entry of a file", () => {
  const content = { hash: "h", declared: ["function a"], endLine: 9 }

  it("begins on the first line, and is major only if it has symbols", () => {
    const bare = FileEntry.of("src/a.ts", { endLine: 3, doc: "The reporters that a user can name." })
    assert.deepInclude(bare, { name: "a.ts", startLine: 1, endLine: 3, isMajor: false, exported: false, usedBy: 0 })
    assert.strictEqual(bare.purpose?.text, "The reporters that a user can name.")
    assert.isTrue(FileEntry.isFile(bare))
    const silent = FileEntry.of("src/a.ts", { endLine: 3, doc: undefined })
    assert.isFalse("doc" in silent || "purpose" in silent)
    const full = FileEntry.ofContent("src/a.ts", content, [])
    assert.deepInclude(full, { name: "a.ts", startLine: 1, endLine: 9, isMajor: true, exported: false, usedBy: 0 })
    assert.isFalse("purpose" in full)
    assert.strictEqual(FileEntry.ofContent("a.ts", { ...content, endLine: 0 }, []).endLine, 1)
    assert.isFalse(FileEntry.isFile({ kind: "function" }))
  })

  it("changes with what it declares, and has the purpose of its version", () => {
    const full = FileEntry.ofContent("src/a.ts", content, [])
    assert.strictEqual(FileEntry.ofContent("src/a.ts", { ...content, hash: "other" }, []).tokens, full.tokens)
    assert.notStrictEqual(FileEntry.ofContent("src/a.ts", { ...content, declared: [] }, []).tokens, full.tokens)
    assert.notStrictEqual(FileEntry.ofContent("src/a.ts", { ...content, hash: "other" }, []).hash, full.hash)
  })

  it("has the beginning of a long comment, and none of an empty one", () => {
    const long = facts("a.sh", `# ${"word ".repeat(3_000)}\necho a\n`)?.doc ?? ""
    assert.isAbove(long.length, 100)
    assert.isBelow(long.length, 10_000)
    assert.isUndefined(facts("a.ts", "/** */\nrun()\n")?.doc)
  })
})
