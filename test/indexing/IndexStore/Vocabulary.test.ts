import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Vocabulary from "../../../src/indexing/IndexStore/internal/Vocabulary.ts"
import { terms } from "../../../src/indexing/Search.ts"

const word = FastCheck.constantFrom("read", "readFile", "files", "HTTPServer", "the", "Äpfel", "a_1", "名前", "naïve")

/** With marks that stand alone, or belong to what is before them, be it a letter or not. */
const between = FastCheck.constantFrom(
  " ",
  "\n",
  ".",
  "",
  "=",
  "\u0301",
  "\u0338",
  "\u{1F600}",
  "\ud83d",
  "é",
  "½",
  "_",
)

const text = FastCheck.array(FastCheck.oneof(word, between), { maxLength: 12 }).map((words) => words.join(""))

const termsOf = (vocabulary: Vocabulary.Vocabulary, text: string) => {
  const found: Array<string> = []
  vocabulary.read(text, (term) => found.push(vocabulary.term(term)))
  return found
}

describe("Vocabulary", () => {
  it.prop(
    "tells the terms of a text, whatever was seen before",
    [text, text],
    ([before, text]) => {
      const vocabulary = Vocabulary.make()
      termsOf(vocabulary, before)
      assert.deepStrictEqual(termsOf(vocabulary, text), terms(text))
    },
    { fastCheck: { numRuns: 1000 } },
  )

  it("tells apart what it has seen much of", () => {
    const vocabulary = Vocabulary.make()
    const text = Array.from({ length: 20_000 }, (_, n) => `apple${n}`).join(" ")
    for (let round = 0; round < 2; round++) assert.deepStrictEqual(termsOf(vocabulary, text), terms(text))
  })

  it("is full some time, and not before there was much to know", () => {
    const vocabulary = Vocabulary.make()
    termsOf(vocabulary, "apple")
    assert.isFalse(vocabulary.isFull())
    termsOf(vocabulary, Array.from({ length: 50_000 }, (_, n) => `apple${n}`).join(" "))
    assert.isTrue(vocabulary.isFull())
  })
})
