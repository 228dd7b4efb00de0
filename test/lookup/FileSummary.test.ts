import { assert, describe, it } from "@effect/vitest"
import { IndexEntry, type Purpose } from "../../src/index/IndexEntry.ts"
import * as FileSummary from "../../src/lookup/FileSummary.ts"

const entry = (name: string, options: { kind?: IndexEntry["kind"]; doc?: string; purpose?: Purpose } = {}) =>
  new IndexEntry({
    path: "src/request_pool.ts",
    name,
    kind: options.kind ?? "class",
    startLine: 3,
    endLine: 9,
    signature: `class ${name}`,
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "0123456789abcdef",
    doc: options.doc,
    purpose: options.purpose,
  })

const purpose = (text: string, model?: string): Purpose => ({
  text,
  origin: model === undefined ? "comment" : "model",
  stale: false,
  ...(model !== undefined && { model }),
})

const of = (text: string, ...entries: ReadonlyArray<IndexEntry>) => FileSummary.of("src/request_pool.ts", text, entries)

describe("FileSummary.of", () => {
  it("is the sentence of the comment at the beginning, whatever words of the file's name it has", () => {
    assert.deepStrictEqual(
      of("// Copyright 2020 Somebody. All rights reserved.\n\n/** The pool of requests that wait. */\n\nlet a\n"),
      {
        text: "The pool of requests that wait.",
        model: undefined,
      },
    )
    assert.isUndefined(of("/* request_pool.ts */\n"))
    const apache =
      "// Copyright 2013 The Authors\n//\n// Licensed under the Apache License, Version 2.0.\n// You may obtain a copy of the License at\n//\n//      https://licences.example\n"
    assert.isUndefined(of(`${apache}\nlet a\n`))
    assert.strictEqual(
      of(`${apache}\n// Requests that wait for room.\n\nlet a\n`)?.text,
      "Requests that wait for room.",
    )
    assert.isUndefined(of("//go:build !windows\n// +build !windows\n\npackage a\n"))
    assert.isUndefined(of("/*! MIT License © Somebody */\nlet a\n"))
    assert.isUndefined(of("let a\n"))
  })

  it("is what a model wrote of the file, rather than the purpose of its type, unless that is stale", () => {
    const written = (stale: boolean) =>
      entry("request_pool.ts", { kind: "file", purpose: { ...purpose("Lets requests wait.", "a/b"), stale } })
    const pool = entry("RequestPool", { purpose: purpose("Keeps requests.") })
    const path = "src/request_pool.ts"
    assert.deepStrictEqual(FileSummary.of(path, "let a\n", [pool], written(false)), {
      text: "Lets requests wait.",
      model: "a/b",
    })
    assert.strictEqual(FileSummary.of(path, "let a\n", [pool], written(true))?.text, "Keeps requests.")
    const old = FileSummary.of(path, "let a\n", [], written(true)) ?? assert.fail("no summary")
    assert.strictEqual(FileSummary.toText(old), "Lets requests wait. (written before the file declared other things)")
    assert.strictEqual(
      FileSummary.of(path, "/** Holds requests back. */\n\nlet a\n", [], written(false))?.text,
      "Holds requests back.",
    )
  })

  it("is the purpose of the type with the name of the file, or of the only one", () => {
    const pool = entry("RequestPool", { purpose: purpose("Keeps requests until there is room. What waits?", "a/b") })
    const other = entry("Other", { purpose: purpose("Counts what waits.") })
    assert.deepStrictEqual(of("class", other, pool), { text: "Keeps requests until there is room.", model: "a/b" })
    assert.deepStrictEqual(of("class", other), { text: "Counts what waits.", model: undefined })
    assert.isUndefined(of("class", other, entry("Third", { purpose: purpose("Sends what waits.") })))
    assert.isUndefined(of("class", entry("run", { kind: "function", purpose: purpose("Runs what waits.") })))
  })

  it("is no purpose that is stale or weak", () => {
    assert.isUndefined(of("class", entry("Pool", { purpose: { ...purpose("Keeps it.", "a/b"), stale: true } })))
    assert.isUndefined(of("class", entry("Pool", { purpose: { ...purpose("Keeps it.", "a/b"), weak: "general" } })))
  })

  it("leaves a comment to the declaration that it stands above", () => {
    const text = "/** Keeps requests until there is room. */\n\nexport class Pool {}\n"
    const documented = entry("pool", { kind: "function", doc: "Keeps requests until there is room." })
    assert.isUndefined(of(text.replace("\n\n", "\n").replace("/**", "\n/**"), documented))
  })
})

describe("FileSummary.testTitles", () => {
  it("leaves a comment to the first function below a namespace, and to the condition that it stands above", () => {
    const module = new IndexEntry({ ...entry("App", { kind: "module" }), startLine: 2 })
    const first = new IndexEntry({ ...entry("describe", { kind: "function" }), startLine: 7 })
    const php =
      "<?php\nnamespace App;\n\n/**\n * Describes the type of a value for people.\n */\nfunction describe() {}\n"
    assert.isUndefined(of(php, module, first))
    assert.isUndefined(of("<?php\n\n// Does not define the functions twice.\nif (!function_exists('f')) {\n}\n"))
    const head = "// Describes values for people who read the log.\nimport a from 'a'\n\nfunction describe() {}\n"
    assert.strictEqual(
      of(head, new IndexEntry({ ...first, startLine: 4 }))?.text,
      "Describes values for people who read the log.",
    )
  })

  it("reads the titles of tests, but not those that are put together", () => {
    const text =
      'it("greets people", () => {})\ntest.each([1])("counts `n`", f)\nit(`has ${n}`, f)\ntest(\'doesn\\\'t wait\', f)\nit("isn\'t late", f)\nit(" .. t .. ", f)\n'
    assert.deepStrictEqual(FileSummary.testTitles(text), ["greets people", "doesn't wait", "isn't late"])
  })
})
