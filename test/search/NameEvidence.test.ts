import { assert, describe, it } from "@effect/vitest"
import * as NameEvidence from "../../src/search/NameEvidence.ts"
import * as Question from "../../src/search/Question.ts"
import * as Tokenizer from "../../src/search/Tokenizer.ts"

const weights = new Map([
  ["fuzzi", 3],
  ["match", 1],
])

describe("NameEvidence.cover", () => {
  it("is the weight of the words that a name has in common with the question", () => {
    assert.strictEqual(NameEvidence.cover(weights, "fuzzyMatch"), 4)
  })

  it("is less for a wordier name", () => {
    const [named, wordier] = ["fuzzyMatch", "fuzzyMatchSingle"].map((name) => NameEvidence.cover(weights, name))
    assert.isBelow(wordier ?? 0, named ?? 0)
  })

  it("counts a word that a name has twice once, and is 0 for a name without any", () => {
    assert.strictEqual(NameEvidence.cover(weights, "matchMatch"), 1)
    assert.strictEqual(NameEvidence.cover(weights, "append"), 0)
    assert.strictEqual(NameEvidence.cover(weights, ""), 0)
  })
})

describe("NameEvidence.pairs", () => {
  const question = Question.parse("a fuzzy match of words")

  it("is the weight of the words that stand side by side in the question and in the name", () => {
    assert.strictEqual(NameEvidence.pairs(question, weights, "Algo.fuzzyMatch"), 4)
  })

  it("is 0 where they are in another order, or apart", () => {
    assert.strictEqual(NameEvidence.pairs(question, weights, "matchFuzzy"), 0)
    assert.strictEqual(NameEvidence.pairs(question, weights, "fuzzyWordMatch"), 0)
  })
})

describe("NameEvidence.inWords", () => {
  const words = new Set(["delet", "user"].flatMap((word) => Tokenizer.partTerms(word)))

  it("says whether a name has all words, in any order, and whether it has others", () => {
    assert.strictEqual(NameEvidence.inWords(words, "User.delete"), "all")
    assert.strictEqual(NameEvidence.inWords(words, "deleteUsers"), "all")
    assert.strictEqual(NameEvidence.inWords(words, "User.deleteAccount"), "more")
    assert.strictEqual(NameEvidence.inWords(words, "User.create"), undefined)
  })

  it("says nothing for a question of one word", () => {
    assert.strictEqual(NameEvidence.inWords(new Set(["user"]), "user"), undefined)
  })
})
