import { assert, describe, it } from "@effect/vitest"
import * as FileClass from "../../src/code/FileClass.ts"
import type { CodeSymbol } from "../../src/code/Symbols.ts"

describe("FileClass.of, by the path", () => {
  it.each([
    ["src/a.ts", "code"],
    ["package.json", "code"],
    ["lib/latest/a.py", "code"],
    ["src/contest.ts", "code"],
    ["src/testing.py", "code"],
    ["numpy/testing/utils.py", "code"],
    ["db/migrations/0001_initial.py", "code"],
    ["build/webpack.js", "code"],
    ["src/changes.py", "code"],
    ["src/ext/todo.py", "code"],
    ["src/external/client.ts", "code"],
    ["src/SpeedTest.ts", "code"],
    ["coverage/report.py", "code"],
    ["pkg/kubelet/pods/pod.go", "code"],
    ["src/virtualenv/run.py", "code"],
    ["Lib/venv/main.py", "code"],
    ["services/api/dependencies/auth.py", "code"],
    ["modules/auth/external/client.ts", "code"],
    ["src/data_gen.py", "code"],
    ["lib/mix/tasks/phx.gen.ex", "code"],
    ["src/bootstrap.js", "code"],
    ["src/normalize.js", "code"],
    ["src/playwright.ts", "code"],
    ["templates/history.html", "code"],
    ["src/activitypub/mocks.js", "code"],
    ["src/mock.rs", "code"],
    ["src/hammock.ts", "code"],

    ["test/a.ts", "test"],
    ["src/__tests__/a.js", "test"],
    ["app/spec/models/user_spec.rb", "test"],
    ["src/a.test.ts", "test"],
    ["src/a.spec.tsx", "test"],
    ["src/test_a.py", "test"],
    ["pkg/a_test.go", "test"],
    ["pkg/conftest.py", "test"],
    ["src/runtime/queue/tests.rs", "test"],
    ["polls/tests.py", "test"],
    ["src/types/tests.ts", "code"],
    ["src/contests.rs", "code"],
    ["src/fixtures/user.json", "test"],
    ["pkg/testdata/a.golden", "test"],
    ["src/main/UserTest.java", "test"],
    ["ios/AppUITests/Login.swift", "test"],
    ["testing/test_mark.py", "test"],
    ["packages/core/testing/mark.py", "test"],
    ["bench/run.ts", "test"],
    ["src/helper/conninfo/mock.ts", "test"],
    ["src/user.mock.ts", "test"],
    ["runtime-tests/deno/hono.tsx", "test"],
    ["vitest.config.ts", "test"],
    ["docs/tests/a.py", "test"],

    ["Acme.Tests/Store.cs", "test"],
    ["src/Acme.Test/Store.cs", "test"],
    ["Acme.Specs/Store.cs", "test"],
    ["Acme.Benchmarks/Store.cs", "test"],
    ["acme-tests/store.rs", "test"],
    ["acme_test/store.py", "test"],
    ["tests.unit/store.py", "test"],
    ["app/src/androidTest/java/com/acme/Store.kt", "test"],
    ["core/src/testFixtures/kotlin/Store.kt", "test"],
    ["src/AdapterTestUtilities/Files.php", "test"],
    ["src/AdapterTestCase.php", "test"],
    ["src/main/java/com/acme/StoreIT.java", "test"],
    ["acme-test/src/lib.rs", "code"],
    ["schema/open-specs/a.ts", "code"],
    ["src/latest_testimony/a.ts", "code"],

    ["src/main/java/org/acme/samples/app/Main.java", "code"],
    ["src/com/acme/samples/app/Main.java", "code"],
    ["shared/src/commonMain/kotlin/docs/Main.kt", "code"],
    ["src/main/java/org/acme/boot/test/Context.java", "code"],
    ["src/main/java/org/acme/generated/Api.java", "generated"],
    ["samples/app/src/main/java/org/acme/Main.java", "example"],
    ["src/examples/com/Main.java", "example"],

    ["examples/tutorial/app.py", "example"],
    ["docs/examples/a.py", "example"],
    ["demo/index.js", "example"],
    ["_examples/rest/main.go", "example"],
    ["_demo/main.go", "example"],
    ["sample/a.c", "example"],

    ["docs/conf.py", "documentation"],
    ["README.md", "documentation"],
    ["src/a/notes.rst", "documentation"],
    ["LICENSE", "documentation"],
    ["MIT-LICENSE", "documentation"],
    ["LICENSE-APACHE", "documentation"],
    ["SPEC.rdoc", "documentation"],
    ["src/license.rs", "code"],
    ["lib/license_key.rb", "code"],

    ["dist/index.js", "generated"],
    ["a/__generated__/query.ts", "generated"],
    ["api/user.pb.go", "generated"],
    ["api/user_pb2.py", "generated"],
    ["public/app.min.js", "generated"],
    ["Form.Designer.cs", "generated"],
    ["src/routes.gen.ts", "generated"],
    ["package-lock.json", "generated"],
    ["Cargo.lock", "generated"],
    ["go.sum", "generated"],
    ["android/build/generated/R.java", "generated"],
    ["test/dist/a.js", "generated"],

    ["vendor/github.com/a/b.go", "vendored"],
    ["src/third_party/a.c", "vendored"],
    ["pip/_vendor/requests/api.py", "vendored"],
    ["ios/Pods/A/a.m", "vendored"],
    ["ios/ssl.xcframework/Headers/ssl.h", "vendored"],
    ["web/bower_components/a.js", "vendored"],
    ["static/jquery-3.6.0.js", "vendored"],
    ["deps/zlib/inflate.c", "vendored"],
    ["db/sqlite3.c", "vendored"],
    ["gradlew", "vendored"],
    ["vendor/a/test/a_test.go", "vendored"],
  ])("%s is %s", (path, expected) => {
    assert.strictEqual(FileClass.of(path), expected)
  })
})

describe("FileClass.of, by what is declared", () => {
  it("obeys an attribute against the path", () => {
    assert.strictEqual(FileClass.of("src/a.ts", { generated: true }), "generated")
    assert.strictEqual(FileClass.of("test/a.ts", { vendored: true }), "vendored")
    assert.strictEqual(FileClass.of("src/a.ts", { documentation: true }), "documentation")
  })

  it("takes the next class that fits where one is denied", () => {
    assert.strictEqual(FileClass.of("vendor/a.ts", { vendored: false }), "code")
    assert.strictEqual(FileClass.of("vendor/test/a.ts", { vendored: false }), "test")
    assert.strictEqual(FileClass.of("src/a.ts", { generated: false }, true), "code")
  })
})

const looksGenerated = (text: string, path = "src/a.ts") => FileClass.looksGenerated(path, text, [])

describe("FileClass.looksGenerated, by the header", () => {
  it.each([
    "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n",
    "/**\n * @generated SignedSource<<abc>>\n */\n",
    "# This file was generated by tools/ops.py\n",
    '"""\nThis module is automatically generated.\n"""\n',
    "<!-- DO NOT EDIT: see tools/docs -->\n",
    "// <auto-generated>\n//   Changes are lost.\n",
    "#!/bin/sh\n# Copyright 2026 A. Uthor\n# Generated from a.in with configure\n",
    "package a\n\n// Autogenerated file with zones\n",
    "/*\n * WARNING: do not edit!\n * Generated by Makefile from a.h.in\n */\n",
  ])("is true for %j", (text) => {
    assert.isTrue(looksGenerated(text))
  })

  it.each([
    "// Parses files\n// generated by the compiler.\n",
    "// Generates code: call it once.\n",
    'export const header = "// Code generated by a. DO NOT EDIT."\n',
    '{\n  "Automatically generated list": "x"\n}\n',
    "# not all values are present in this\n# autogenerated file.\n",
    `const a = 1\n${"f()\n".repeat(50)}// Generated by hand\n`,
    "",
  ])("is false for %j", (text) => {
    assert.isFalse(looksGenerated(text))
  })

  it("is false for a migration, which people edit", () => {
    assert.isFalse(looksGenerated("# Generated by Django 4.1\n", "app/migrations/0001_initial.py"))
  })
})

describe("FileClass.looksGenerated, by the shape", () => {
  it("recognises a minified script by its long lines", () => {
    const minified = `/*! licence */\n${"var a=function(b){return b(c,d)};".repeat(100)}\n`
    assert.isTrue(looksGenerated(minified, "public/app.js"))
    assert.isTrue(looksGenerated("let a = 1\n//# sourceMappingURL=app.js.map\n", "public/app.js"))
  })

  it.each([
    "var Kit = (() => {\n  var __defProp = Object.defineProperty;\n  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;\n",
    "var __create = Object.create;\n",
    "// src/a.js\nvar a = 1;\n\n// src/lib/b.ts\nvar b = 2;\n\n// node_modules/c/index.mjs\nvar c = 3;\nexport { a, b, c };\n",
    "/******/ (() => { // webpackBootstrap\n/******/ \tvar __webpack_modules__ = ({\n",
    '"use strict";\nvar __importDefault = (this && this.__importDefault) || function (mod) {\n',
  ])("recognises a script that a bundler or a compiler wrote: %j", (text) => {
    assert.isTrue(looksGenerated(text, "public/app.js"))
  })

  it.each([
    "// src/a.js\nvar a = 1;\n",
    "// src/a.js\n// See also:\n// src/b.js\nvar a = 1\n",
    "var a = 1\n// src/a.js\n// src/b.js\n// src/c.js\n",
    "const __dirname = dirname(url)\nvar __init = Object.create(null)\n",
    'const text = "/******/ (() => {"\nfunction isHelper(line) {\n  return line.includes("(this && this.__importDefault)")\n}\n',
    `${"f();\n".repeat(1_000)}var __create = Object.create;\n`,
  ])("does not take for one what a person may write: %j", (text) => {
    assert.isFalse(looksGenerated(text, "public/app.js"))
  })

  it("does not take a long literal for one, nor data", () => {
    assert.isFalse(looksGenerated(`export const logo = "${"iVBORw0KGgo".repeat(500)}"\n`))
    assert.isFalse(looksGenerated(`data = [${"1, ".repeat(5_000)}]\n`, "src/a.py"))
  })

  const functions = (count: number, body: (i: number) => string) => {
    const lines = Array.from({ length: count }, (_, i) => `function create${i}(of: T${i}) { ${body(i)} }\n`)
    let start = 0
    const symbols = lines.map((line, i): CodeSymbol => {
      const symbol = { start, end: start + line.length, startLine: i + 1, endLine: i + 1, name: `create${i}` }
      start += line.length
      return { ...symbol, kind: "function", container: undefined, signature: "", doc: undefined, exported: true }
    })
    return { text: lines.join(""), symbols }
  }
  const looksRepeated = (path: string, { symbols, text }: ReturnType<typeof functions>) =>
    FileClass.looksGenerated(path, text, symbols)

  it("recognises hundreds of functions that differ in their names alone", () => {
    const repeated = functions(200, (i) => `return make("0", model${i})`)
    assert.isTrue(looksRepeated("src/entities.ts", repeated))
    assert.isFalse(looksRepeated("test/entities.test.ts", repeated))
  })

  it("does not take a client of an API for one, nor what has a comment", () => {
    const client = functions(1_000, (i) => `return request("/things/${i}")`)
    assert.isFalse(looksRepeated("src/client.ts", client))
    const ports = functions(1_000, (i) => `return open(${i})`)
    assert.isFalse(looksRepeated("src/ports.ts", ports))
    const { symbols, text } = functions(200, () => "return 1")
    assert.isFalse(looksRepeated("src/tests.ts", { symbols, text: `${text}\n// Literals\n` }))
  })

  it("lets a few of one shape pass, and hundreds of many shapes", () => {
    assert.isFalse(
      looksRepeated(
        "src/errors.ts",
        functions(40, () => "return 1"),
      ),
    )
    assert.isFalse(
      looksRepeated(
        "src/a.ts",
        functions(200, (i) => `return ${"f(".repeat(i % 7)}1${")".repeat(i % 7)}`),
      ),
    )
  })

  it("reads 50,000 functions in one go", () => {
    assert.isTrue(
      looksRepeated(
        "src/a.ts",
        functions(50_000, () => "return 1"),
      ),
    )
  })
})

describe("FileClass.isNamedLikeTests", () => {
  const checks = "def test_odd(value: int) -> bool:\n    return value % 2 == 1\n\nTESTS = {'odd': test_odd}\n"

  it("finds a module of code that has the name of tests and names no test framework", () => {
    assert.isTrue(FileClass.isNamedLikeTests("src/jinja2/tests.py", checks))
    assert.isTrue(FileClass.isNamedLikeTests("tests.py", checks))
  })

  it("leaves tests what they are", () => {
    for (const text of [
      `from django.test import TestCase\n\n${checks}`,
      `import pytest\n\n${checks}`,
      "def test_sum():\n    assert 1 + 1 == 2\n",
      "# Create your tests here.\n",
    ]) {
      assert.isFalse(FileClass.isNamedLikeTests("polls/tests.py", text), text)
    }
    assert.isFalse(FileClass.isNamedLikeTests("tests/tests.py", checks))
    assert.isFalse(FileClass.isNamedLikeTests("src/test_odd.py", checks))
  })
})
