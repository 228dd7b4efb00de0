import { assert, describe, it } from "@effect/vitest"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import * as Material from "../../../src/wiki/writing/Material.ts"

const entry = (values: Partial<ConstructorParameters<typeof IndexEntry>[0]>) =>
  new IndexEntry({
    path: "bind.go",
    name: "Bind",
    kind: "method",
    startLine: 1,
    endLine: 9,
    signature: "func (formBinding) Bind(req *http.Request, obj any) error",
    exported: true,
    usedBy: 0,
    isMajor: true,
    hash: "h",
    ...values,
  })

describe("Material.aboutOf", () => {
  it("shows what a signature has after the name, though a type before it has the same word", () => {
    assert.strictEqual(Material.aboutOf(entry({})), "(req *http.Request, obj any) error")
    assert.strictEqual(Material.aboutOf(entry({ signature: "func (b Bind) Bind(obj any) error" })), "(obj any) error")
    assert.strictEqual(Material.aboutOf(entry({ name: "Store", signature: "class Store {" })), "")
    assert.strictEqual(Material.aboutOf(entry({ name: "$at", signature: "const $at: number = 7" })), ": number = 7")
  })

  it("does not repeat the name with which a comment begins", () => {
    const about = (text: string, origin: "comment" | "model") =>
      Material.aboutOf(entry({ purpose: { text, origin, stale: false } }))
    assert.strictEqual(about("Bind reads a request into an object.", "comment"), "# reads a request into an object.")
    assert.strictEqual(about("Binds a request.", "comment"), "# Binds a request.")
    assert.strictEqual(about("Bind reads a request.", "model"), "Bind reads a request.")
  })
})

describe("Material.nameOf", () => {
  it("is that of the file where the code only says `M`, so that a statement says which module it means", () => {
    const nameOf = (path: string, name: string, container?: string) =>
      Material.nameOf({ path, ordinal: 0, entry: entry({ path, name, ...(container !== undefined && { container }) }) })
    assert.strictEqual(nameOf("lua/lazy/core/loader.lua", "load", "M"), "loader.load")
    assert.strictEqual(nameOf("lua/lazy/pkg/init.lua", "update", "M"), "pkg.update")
    assert.strictEqual(nameOf("bind.go", "Bind", "formBinding"), "formBinding.Bind")
    assert.strictEqual(nameOf("bind.go", "Bind"), "Bind")
    assert.strictEqual(Material.nameOf({ path: "src/a.lua", ordinal: 0, entry: undefined }), "src/a.lua")
  })
})

describe("Material.choose", () => {
  it("leaves out the name of a package, which each of its files has, unless a comment says what it is for", () => {
    const named = { name: "gin", kind: "module" as const, signature: "package gin" }
    const purpose = { text: "A web framework.", origin: "comment" as const, stale: false }
    const files = [
      [entry({ ...named, path: "a.go" }), entry({ path: "a.go" })],
      [entry({ ...named, path: "doc.go", purpose })],
    ].map(Material.itemsOf)
    assert.deepStrictEqual(
      Material.choose(files, 1_000).map(({ entry, path }) => `${path} ${entry?.name}`),
      ["a.go Bind", "doc.go gin"],
    )
  })

  it("chooses a function that decides before one that is only used more", () => {
    const file = Material.itemsOf([entry({ name: "get", usedBy: 3 }), entry({ name: "_resolve", exported: false })])
    const [, resolve] = file
    if (resolve === undefined) return assert.fail("no item")
    const namesIn = (deciding: ReadonlyMap<string, number>) =>
      Material.choose([file], 17, 0, deciding).map((item) => item.entry?.name)
    assert.deepStrictEqual(namesIn(new Map()), ["get"])
    assert.deepStrictEqual(namesIn(new Map([[Material.keyOf(resolve), 9]])), ["_resolve"])
  })
})
