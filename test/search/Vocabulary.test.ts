import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { terms } from "../../src/search/Tokenizer.ts"
import * as Vocabulary from "../../src/search/Vocabulary.ts"
import { cases } from "../thoroughness.ts"

const word = FastCheck.constantFrom("read", "readFile", "files", "HTTPServer", "the", "Äpfel", "a_1", "名前", "naïve")

/** Some combine with the character before them, be it a letter or not. */
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
  vocabulary.forEachTerm(text, (term) => found.push(vocabulary.term(term)))
  return found
}

describe("Vocabulary", () => {
  it.prop(
    "has the terms that the tokenizer has, whatever it has read before",
    [text, text],
    ([before, text]) => {
      const vocabulary = Vocabulary.make()
      termsOf(vocabulary, before)
      assert.deepStrictEqual(termsOf(vocabulary, text), terms(text))
    },
    { fastCheck: { numRuns: cases(1000) } },
  )

  it("keeps many runs apart", () => {
    const vocabulary = Vocabulary.make()
    const text = Array.from({ length: 5_000 }, (_, n) => `apple${n}`).join(" ")
    for (let round = 0; round < 2; round++) assert.deepStrictEqual(termsOf(vocabulary, text), terms(text))
  })

  it("is full after many distinct runs, or after a long one", () => {
    const vocabulary = () => {
      const made = Vocabulary.make()
      termsOf(made, "apple")
      assert.isFalse(made.isFull())
      return made
    }
    for (const text of [Array.from({ length: 70_000 }, (_, n) => n).join(" "), "a".repeat(600_000)]) {
      const full = vocabulary()
      termsOf(full, text)
      assert.isTrue(full.isFull())
    }
  })
})
