/** How many words tell that texts are English, or are not. */
import { assert, describe, it } from "@effect/vitest"
import * as English from "../../../src/explore/internal/English.ts"

const FOREIGN = "seems not to be English; write in English"

describe("English.findForeign", () => {
  it.each<readonly [text: string, reason: string | undefined]>([
    // Another script, from eight letters on, of which more than half are of it.
    ["абвгдежз", "write in English"],
    ["абвгдеж", undefined],
    ["абвгде abcdef", undefined],
    ["абвгдежз abcdefg", "write in English"],
    // Three words of one language among eight that are no names.
    ["öffnet das tor und türen mit großen schlüsseln nachts", FOREIGN],
    ["öffnet das tor und türen großen schlüsseln nachts heute", undefined],
    ["öffnet das tor und türen mit großen schlüsseln", FOREIGN],
    ["öffnet das tor und türen mit großen", undefined],
    ["öffnet das tor und türen mit the schlüsseln nachts", undefined],
    ["öffnet das tor und ein Haus mit vielen Fenstern", undefined],
    ["ouvre le tor und türen con großen schlüsseln nachts", undefined],
  ])("says of %j: %s", (text, reason) => assert.strictEqual(English.findForeign(text), reason))
})

describe("English.findForeignIn", () => {
  const found = (...texts: ReadonlyArray<string>) => Array.from(English.findForeignIn(texts))
  const words = (count: number) => Array.from({ length: count }, (_, n) => `wort${"abcdefghij".charAt(n % 10)}x`)
  const text = (count: number, ...others: ReadonlyArray<string>) =>
    [...words(count - others.length), ...others].join(" ")

  it("needs fifty words together, with fewer than six of a hundred that hold English sentences together", () => {
    assert.deepStrictEqual(found(text(50)), [[text(50), FOREIGN]])
    assert.deepStrictEqual(found(text(49)), [])
    assert.lengthOf(found(text(50, "the", "of")), 1)
    assert.lengthOf(found(text(50, "the", "of", "for")), 0)
    // Words that other languages have too do not count.
    assert.lengthOf(found(text(50, "the", "of", "is", "at")), 1)
    // The same text counts once.
    assert.lengthOf(found(text(25), text(25)), 0)
    assert.lengthOf(found(text(25), text(25, "other")), 2)
  })

  it("leaves texts alone that are lists of up to three words", () => {
    assert.deepStrictEqual(
      found(text(50), "eins zwei drei vier", "eins zwei drei").map(([text]) => text.split(" ").length),
      [50, 4],
    )
  })
})

describe("English.isEnglishCode", () => {
  const file = (...lines: ReadonlyArray<string>) =>
    [...Array.from({ length: 30 }, () => "of the licence"), ...lines].join("\n")

  it("takes code for English if a fifth of the files has a `the` below its first thirty lines", () => {
    assert.isTrue(English.isEnglishCode([file("of the door")]))
    assert.isFalse(English.isEnglishCode([file("of other doors")]))
    assert.isFalse(English.isEnglishCode([file()]))
    assert.isFalse(English.isEnglishCode([]))
    const others = (count: number) => Array.from({ length: count }, () => file("offen"))
    assert.isTrue(English.isEnglishCode([file("the"), ...others(4)]))
    assert.isFalse(English.isEnglishCode([file("the"), ...others(5)]))
    // Files that have nothing below do not count.
    assert.isTrue(English.isEnglishCode([file("the"), ...others(4), file(), file()]))
  })
})
