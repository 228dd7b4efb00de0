import { assert, describe, it } from "@effect/vitest"
import * as BuildCondition from "../../../src/wiki/writing/BuildCondition.ts"

describe("BuildCondition.read", () => {
  it("reads the condition of a file of Go, below a licence and above the package", () => {
    const text = "// Copyright of many\n\n//go:build sonic && (linux || windows)\n// +build sonic\n\npackage json\n"
    assert.strictEqual(BuildCondition.read("json/sonic.go", text), "sonic && (linux || windows)")
    assert.strictEqual(
      BuildCondition.read("a.go", "// +build linux darwin\n// +build !cgo\n\npackage a\n"),
      "linux darwin and !cgo",
    )
  })

  it("takes no condition from the code below", () => {
    assert.isUndefined(BuildCondition.read("a.go", "package a\n\nvar text = `\n//go:build never\n`\n"))
    assert.isUndefined(BuildCondition.read("a.go", "package a\n"))
  })

  it("reads the condition of a whole file of Rust, and not that of an item", () => {
    assert.strictEqual(BuildCondition.read("src/unix.rs", "//! Signals.\n#![cfg(unix)]\nuse std::io;\n"), "unix")
    assert.isUndefined(BuildCondition.read("src/a.rs", "#[cfg(unix)]\nfn main() {}\n"))
  })

  it("knows none in other languages, and none that is longer than a line", () => {
    assert.isUndefined(BuildCondition.read("a.ts", "//go:build sonic\n"))
    assert.isUndefined(BuildCondition.read("a.go", `//go:build ${"a || ".repeat(60)}b\n\npackage a\n`))
  })
})

describe("BuildCondition.note", () => {
  it("stands behind the name of a file", () => {
    assert.strictEqual(`a.go${BuildCondition.note("sonic")}`, "a.go (only compiled if sonic)")
    assert.strictEqual(`a.go${BuildCondition.note(undefined)}`, "a.go")
  })
})
