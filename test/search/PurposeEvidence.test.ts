import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as PurposeEvidence from "../../src/search/PurposeEvidence.ts"
import * as Tokenizer from "../../src/search/Tokenizer.ts"

const question = "keep cookies between requests of one session"

const weightsOf = (text: string) => new Map(Tokenizer.partTerms(text).map((term) => [term, 2]))

const evidence = (purpose: string, text = question) => PurposeEvidence.reader(text, weightsOf(text))(purpose)

describe("PurposeEvidence.reader", () => {
  it("grows with the share of the question that a purpose has, from half of it", () => {
    const purposes = [
      "Keeps cookies of requests.",
      "Keeps the cookies of requests for a session.",
      "Keeps cookies between the requests of one session.",
    ]
    const [some = 0, most = 0, all = 0] = purposes.map((purpose) => evidence(purpose))
    assert.strictEqual(some, 0)
    assert.isAbove(most, some)
    assert.isAbove(all, most)
  })

  it("is nothing without a purpose, with few of the words, and for a question of few words", () => {
    assert.strictEqual(evidence(""), 0)
    assert.strictEqual(evidence("Reads a file of settings."), 0)
    assert.strictEqual(evidence("Keeps cookies of requests.", "keep cookies requests"), 0)
  })

  it("does not count a word that is repeated, or that no term of the search is", () => {
    assert.strictEqual(evidence("Cookies, cookies, cookies and cookies."), 0)
    const reader = PurposeEvidence.reader(question, weightsOf("cookies requests session"))
    assert.strictEqual(reader("Keeps cookies between the requests of one session."), 0)
  })

  const word = FastCheck.constantFrom("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath")

  it.prop(
    "does not fall with a further word of the question in the purpose",
    [FastCheck.array(word), word, FastCheck.uniqueArray(word)],
    ([purpose, more, text]) => {
      const read = PurposeEvidence.reader(text.join(" "), weightsOf(text.join(" ")))
      assert.isAtLeast(read([...purpose, more].join(" ")), read(purpose.join(" ")))
    },
  )
})
