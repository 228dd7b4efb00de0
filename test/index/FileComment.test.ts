import { assert, describe, it } from "@effect/vitest"
import type { Kind } from "../../src/code/Symbols.ts"
import * as FileComment from "../../src/index/FileComment.ts"
import { IndexEntry } from "../../src/index/IndexEntry.ts"

describe("FileComment.read", () => {
  const read = (comment: string) =>
    FileComment.read("src/cart/totals.ts", `/** ${comment} */\n\nimport "./price.ts"\n\nexport const total = 1\n`)

  it("takes what the first comment says, with the name of the file in it, but not a name alone", () => {
    assert.strictEqual(
      read("The cart totals that a customer sees before paying."),
      "The cart totals that a customer sees before paying.",
    )
    assert.isUndefined(read("src/cart/totals.ts: cart totals src cart totals."))
  })

  it("reads the documentation of a module of Perl and the header of one of Haskell", () => {
    const perl =
      "package A;\n\n=head1 NAME\n\nA - keeps orders of customers\n\n=head1 SYNOPSIS\n\n use A;\n\n=cut\nsub x {}\n"
    assert.strictEqual(FileComment.read("lib/A.pm", perl), "A - keeps orders of customers")
    const haskell =
      "{- |\n   Module    : A.B\n   Copyright : Copyright (C) Somebody\n\nKeeps orders.\n-}\nmodule A.B where\n"
    assert.strictEqual(FileComment.read("src/A/B.hs", haskell), "Keeps orders.")
  })

  it("takes no comment of a declaration or of a statement, but one of a module above either", () => {
    const ofLine = (comment: string, next: string, declared: ReadonlyArray<number> = []) =>
      FileComment.read("src/a.ts", `${comment}\n${next}\n`, new Set(declared))
    assert.strictEqual(ofLine("// Counts fruits in baskets.", "const a = 1"), "Counts fruits in baskets.")
    assert.isUndefined(ofLine("// Counts fruits in baskets.", "const a = 1", [2]))
    assert.strictEqual(ofLine("// Counts fruits in baskets.", "const a = 1", [3]), "Counts fruits in baskets.")
    assert.isUndefined(ofLine("// Counts fruits in baskets.", "if (a) go()"))
    assert.isUndefined(ofLine("// Counts fruits in baskets.", "  for (const a of b) go()"))
    assert.strictEqual(ofLine("// Counts fruits in baskets.", "iffy()"), "Counts fruits in baskets.")
    assert.strictEqual(ofLine("//! Counts fruits in baskets.", "if (a) go()", [2]), "Counts fruits in baskets.")
  })
})

const symbol = (name: string, kind: Kind, other: Partial<IndexEntry> = {}) =>
  new IndexEntry({
    path: "src/FruitBasket.ts",
    name,
    kind,
    signature: `${kind} ${name}`,
    startLine: 3,
    endLine: 9,
    hash: "0",
    exported: true,
    isMajor: true,
    usedBy: 0,
    ...other,
  })

describe("FileComment.ofFile", () => {
  const text = "// Counts fruits in baskets.\n\n// Adds one.\nfunction add() {}\n"
  const directly = "// Counts fruits in baskets.\nfunction add() {}\n"

  it("leaves the comment directly above a function or type to that, and that above a constant to the file", () => {
    const read = (of: string, ...entries: ReadonlyArray<IndexEntry>) => FileComment.ofFile("src/a.ts", of, entries)
    assert.strictEqual(read(text, symbol("add", "function", { startLine: 4 })), "Counts fruits in baskets.")
    assert.isUndefined(read(directly, symbol("add", "function", { startLine: 2 })))
    assert.isUndefined(read(directly, symbol("add", "interface", { startLine: 2 })))
    assert.strictEqual(read(directly, symbol("add", "constant", { startLine: 2 })), "Counts fruits in baskets.")
    assert.isUndefined(read(directly, symbol("add", "constant", { startLine: 2, doc: "Counts fruits in baskets." })))
  })
})

describe("FileComment.ofFile", () => {
  const comment = (text: string) => ({ text, origin: "comment", stale: false }) as const
  const of = (path: string, ...entries: ReadonlyArray<IndexEntry>) => FileComment.ofFile(path, "let a\n", entries)
  const upload = symbol("Plug.Upload", "module", { isMajor: false, purpose: comment("Keeps files that are uploaded.") })

  it("is what the comment of the only module says, or of the one with the name of the file", () => {
    assert.strictEqual(of("lib/a.ex", upload, symbol("start", "function")), "Keeps files that are uploaded.")
    const other = symbol("Plug.Other", "module", { purpose: comment("Does something else.") })
    assert.strictEqual(of("lib/plug/upload.ex", other, upload), "Keeps files that are uploaded.")
    assert.isUndefined(of("lib/plug.ex", other, upload))
  })

  it("is not what a model wrote of the module, nor the comment of one within a class", () => {
    const written = symbol("A", "module", { purpose: { text: "Adds.", origin: "model", stale: false, model: "m" } })
    assert.isUndefined(of("a.ex", written))
    assert.isUndefined(of("a.rb", symbol("B", "module", { container: "A", purpose: comment("Keeps all.") })))
  })
})

describe("FileComment.mainTypeOf", () => {
  const nameOf = (path: string, ...entries: ReadonlyArray<IndexEntry>) => FileComment.mainTypeOf(path, entries)?.name

  it("is the type with the name of the file, however both are written", () => {
    const [basket, other] = [symbol("FruitBasket", "class"), symbol("Other", "class")]
    for (const path of ["src/FruitBasket.ts", "src/fruit_basket.py", "fruit-basket.rb", "deep.er/fruitbasket.go"]) {
      assert.strictEqual(nameOf(path, other, basket), "FruitBasket", path)
    }
    assert.isUndefined(nameOf("src/fruit.ts", other, basket))
    assert.strictEqual(nameOf("src/Größe.ts", other, symbol("größe", "enum")), "größe")
  })

  it("is the only type that is major and within no other, and no function", () => {
    assert.strictEqual(nameOf("src/a.ts", symbol("Basket", "interface"), symbol("add", "function")), "Basket")
    assert.isUndefined(nameOf("src/a.ts", symbol("add", "function"), symbol("Name", "type")))
    assert.isUndefined(nameOf("src/a.ts", symbol("Basket", "class", { isMajor: false })))
    assert.isUndefined(nameOf("src/a.ts", symbol("Basket", "class", { container: "Shop" })))
    const inner = symbol("Inner", "class", { container: "Basket" })
    assert.strictEqual(nameOf("src/a.ts", symbol("Basket", "class"), inner), "Basket")
  })
})
