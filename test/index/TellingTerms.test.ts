/** Which words of a sentence say something that the symbol's name, signature and path do not. */
import { assert, describe, it } from "@effect/vitest"
import * as TellingTerms from "../../src/index/TellingTerms.ts"

const subject = {
  qualifiedName: "TokenReader.initQueue",
  signature: "initQueue(limit: number): Promise<Ledger>",
  path: "src/payroll/feed.ts",
}

const telling = (text: string, where: "also in its path" | "apart from its path" = "also in its path") =>
  TellingTerms.tellingTerms(subject, text, where)

describe("TellingTerms.tellingTerms", () => {
  it("leaves out words of the name in any inflection, abbreviated, written together, and as synonyms", () => {
    assert.deepStrictEqual(telling("Tokens, tokenize, readers, reading, queued, queues."), [])
    // `init` and `load` stand for words of the name, though neither is in it.
    assert.deepStrictEqual(telling("initials load"), [])
    assert.deepStrictEqual(telling("tokenreader initqueue"), [])
    assert.deepStrictEqual(telling("banana"), ["banana"])
  })

  it("leaves out words of the signature, short ones only if they stand alone", () => {
    assert.deepStrictEqual(telling("ledger limits"), [])
    assert.deepStrictEqual(
      TellingTerms.tellingTerms({ ...subject, signature: "go(width)" }, "wid", "also in its path"),
      ["wid"],
    )
    assert.deepStrictEqual(
      TellingTerms.tellingTerms({ ...subject, signature: "go(wid, th)" }, "wid", "also in its path"),
      [],
    )
  })

  it("leaves out words of the path only where they are not to count", () => {
    assert.deepStrictEqual(telling("payroll feeds banana"), ["payroll", "feed", "banana"])
    assert.deepStrictEqual(telling("payroll feeds banana", "apart from its path"), ["banana"])
  })

  it("has each word once, and none that fits any symbol, nor numbers and single letters", () => {
    assert.deepStrictEqual(telling("banana, bananas: handles objects, 42 of x"), ["banana"])
    assert.deepStrictEqual(TellingTerms.ownTerms("The object that handles bananas and 東京."), ["banana", "東京"])
  })
})

describe("TellingTerms.isTellingFor", () => {
  it("counts no words of the name, the signature or the path, and none that fits any symbol", () => {
    const isTelling = TellingTerms.isTellingFor(subject)
    assert.deepStrictEqual(
      ["token", "ledger", "payroll", "object", "banana"].map((term) => isTelling(term)),
      [false, false, false, false, true],
    )
  })
})

describe("TellingTerms.specificTerms", () => {
  it("has no words that say something beside others alone", () => {
    assert.deepStrictEqual(TellingTerms.specificTerms("Makes everything robust and counts bananas"), ["banana"])
  })
})

describe("TellingTerms.echoesName", () => {
  it("counts any word of the name, and of the container one that is not vague", () => {
    assert.isTrue(TellingTerms.echoesName("initQueue", "Shop", "Empties the queue."))
    assert.isFalse(TellingTerms.echoesName("initQueue", "Shop", "Counts bananas."))
    assert.isTrue(TellingTerms.echoesName("go", "FruitBasket", "Counts fruits."))
    assert.isTrue(TellingTerms.echoesName("update", "FruitBasket", "Updates bananas."))
    assert.isFalse(TellingTerms.echoesName("go", "UpdateBasket", "Updates bananas."))
  })
})

describe("TellingTerms.tellingTerms, its borders", () => {
  it.each<readonly [name: string, signature: string, text: string, telling: ReadonlyArray<string>]>([
    // Words of two letters count whole, and longer ones anywhere in the name.
    ["feedback", "", "db", ["db"]],
    ["dbOpen", "", "db", []],
    ["reloaded", "", "load", []],
    // A name that is a beginning of a word is that word, from three letters on.
    ["token", "", "tokenbox", []],
    ["toFile", "", "token", ["token"]],
    ["load", "", "upload", ["upload"]],
    // The stem of "copies" is "copi".
    ["go", "go(copy)", "copies", []],
    ["copyFile", "", "copies", []],
    ["clBox", "", "cli", ["cli"]],
    ["removeAll", "", "drops", []],
    ["removeAll", "", "violin", ["violin"]],
  ])("of %s with `%s`, %j tells %j", (qualifiedName, signature, text, telling) => {
    assert.deepStrictEqual(
      TellingTerms.tellingTerms({ qualifiedName, signature, path: "" }, text, "also in its path"),
      telling,
    )
  })

  it("echoes a container by one word that is not vague", () => {
    assert.isTrue(TellingTerms.echoesName("go", "HarbourBox", "Violins of the harbour"))
    assert.isFalse(TellingTerms.echoesName("go", "HarbourBox", "Violins of the garden"))
  })
})
