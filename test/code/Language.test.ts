import { assert, describe, it } from "@effect/vitest"
import * as Language from "../../src/code/Language.ts"
import { entries } from "../../src/code/languages/table.ts"

const told = (path: string) => {
  const language = Language.of(path)
  return language && [language.id, language.grammar]
}

describe("Language", () => {
  it.each([
    ["src/a.ts", ["typescript", "typescript"]],
    ["src/a.d.mts", ["typescript", "typescript"]],
    ["src/App.tsx", ["typescript", "tsx"]],
    ["a.cjs", ["javascript", "javascript"]],
    ["a.pyi", ["python", "python"]],
    ["list.c", ["c", "cpp"]],
    ["list.h", ["c", "cpp"]],
    ["LIST.HPP", ["cpp", "cpp"]],
    ["Program.cs", ["csharp", "c-sharp"]],
    ["x/Gemfile", ["ruby", "ruby"]],
    ["Rakefile", ["ruby", "ruby"]],
    [".bashrc", ["bash", "bash"]],
    ["Dockerfile", ["dockerfile", undefined]],
    ["deploy/Dockerfile.prod", ["dockerfile", undefined]],
    ["Makefile.am", ["makefile", undefined]],
    ["GNUmakefile", ["makefile", undefined]],
    ["CMakeLists.txt", ["cmake", undefined]],
    ["README.md", ["markdown", undefined]],
    ["setup.ps1", ["powershell", undefined]],
    ["Main.kt", ["kotlin", undefined]],
    ["analysis.R", ["r", undefined]],
    ["app/proguard-rules.pro", ["proguard", undefined]],
  ])("knows %s", (path, language) => {
    assert.deepStrictEqual(told(path), language)
  })

  it.each(["LICENSE", "go", "a.bin", "", "src/", "a.", ".", "a.toString", "constructor", "x.go/"])(
    "knows nothing of %j",
    (path) => {
      assert.isUndefined(Language.of(path))
    },
  )

  it.each([
    ["#!/usr/bin/env python3\nimport os\n", "python"],
    ["#! /usr/bin/python2.7 -u\n", "python"],
    ["#!/usr/bin/env -S NODE_ENV=test node --flag\r\n", "javascript"],
    ["#!/usr/bin/env deno run\n", "typescript"],
    ["#!/bin/sh\n", "bash"],
    ["#!/usr/bin/perl", "perl"],
    ["#!/usr/bin/env ruby", "ruby"],
    ["#!/usr/bin/php8.2\n", "php"],
    ["#!/usr/bin/env constructor\n", undefined],
    ["#!\n/bin/sh\n", undefined],
    ["import os\n#!/bin/sh\n", undefined],
  ])("reads the interpreter in %j", (text, language) => {
    assert.strictEqual(Language.of("bin/tool", text)?.id, language)
  })

  it("prefers a name to the interpreter, and looks for none where there is an extension", () => {
    assert.strictEqual(Language.of("a.rb", "#!/bin/sh\n")?.id, "ruby")
    assert.strictEqual(Language.of("Makefile", "#!/bin/sh\n")?.id, "makefile")
    assert.isUndefined(Language.of("a.unknown", "#!/bin/sh\n"))
  })

  it("has loadable rules for each grammar, patterns for each language without one, and a reader where references are read", async () => {
    for (const { grammar, id, loadOutline, loadPatterns, loadReferences, outline } of entries) {
      assert.strictEqual(outline === "grammar", grammar !== undefined, id)
      if (outline === "grammar") assert.isNotEmpty((await loadOutline?.())?.rules.identifiers, id)
      if (outline === "patterns") assert.isNotEmpty((await loadPatterns?.())?.literals, id)
      const reader = await loadReferences?.()
      assert.strictEqual(loadReferences !== undefined, (reader?.read ?? reader?.readTree) !== undefined, id)
    }
  })

  it("has each extension, name and interpreter once", () => {
    for (const words of ["extensions", "names", "interpreters"] as const) {
      const all = entries.flatMap((entry) => entry[words]?.split(" ").filter((word) => word !== "") ?? [])
      assert.deepStrictEqual(
        all.filter((word, at) => all.indexOf(word) !== at),
        [],
      )
    }
  })

  it("looks at the name alone, not at its folders", () => {
    assert.deepStrictEqual(told("makefile/a.py"), ["python", "python"])
    assert.isUndefined(Language.of("a.py/b"))
  })

  it("writes a name as people do, or the words of the id with capital letters", () => {
    assert.deepStrictEqual(
      ["cpp", "csharp", "eex", "graphql", "objective-c", "typescript", "ruby", "visual-basic", "d"].map(
        Language.nameOf,
      ),
      ["C++", "C#", "EEx", "GraphQL", "Objective-C", "TypeScript", "Ruby", "Visual Basic", "D"],
    )
  })

  it("has a name that is no id for every language, each another one", () => {
    const ids = new Set(entries.map(({ id }) => id))
    const names = Array.from(ids, Language.nameOf)
    assert.deepStrictEqual(
      names.filter((name) => ids.has(name)),
      [],
    )
    assert.strictEqual(new Set(names).size, ids.size)
  })
})
