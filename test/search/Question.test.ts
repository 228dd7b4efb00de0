import { assert, describe, it } from "@effect/vitest"
import * as Question from "../../src/search/Question.ts"

const weightsOf = (text: string) => new Map(Question.parse(text).terms.map(({ term, weight }) => [term, weight]))

describe("Question.parse", () => {
  it("has each term of a question once", () => {
    assert.deepStrictEqual(
      Question.parse("a node, the nodes").terms.filter(({ weight }) => weight === 1),
      [{ term: "nod", weight: 1 }],
    )
  })

  it("gives the words that questions of any subject have less weight than the telling ones", () => {
    const weights = weightsOf("What is the purpose of the mechanism that evicts cookies?")
    assert.strictEqual(weights.get("cooki"), 1)
    assert.isBelow(weights.get("purpos") ?? 1, 1)
    assert.isBelow(weights.get("mechanism") ?? 1, 1)
  })

  it("also has two neighbouring words written as one, with less weight", () => {
    const weight = weightsOf("clean up directories").get("cleanup") ?? 0
    assert.isAbove(weight, 0)
    assert.isBelow(weight, 1)
  })

  it("also has the initials of neighbouring words, with less weight", () => {
    const weight = weightsOf("server-sent events").get("sse") ?? 0
    assert.isAbove(weight, 0)
    assert.isBelow(weight, 1)
  })

  it("gives a word that is in the question its full weight, also where two others would make it", () => {
    assert.strictEqual(weightsOf("test paths or testpaths").get("testpath"), 1)
  })

  it("has the pairs of words that follow one another, stop words left out", () => {
    const { pairs } = Question.parse("the list of files")
    assert.deepStrictEqual(Array.from(pairs), ["list fil"])
  })

  it("has no more terms for a pasted text than for a long question", () => {
    assert.isAtMost(Question.parse(Array.from({ length: 1000 }, (_, n) => `word${n}`).join(" ")).terms.length, 192)
  })
})

describe("Question.beginningOf", () => {
  it("is a whole question, and of a pasted text a part with as many terms as are searched for", () => {
    assert.strictEqual(Question.beginningOf("read a file"), "read a file")
    const pasted = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join(" ")
    assert.isAtMost(Question.beginningOf(pasted).length, 10_000)
    assert.strictEqual(Question.parse(pasted).terms.length, Question.parse(pasted.slice(0, 9_000)).terms.length)
  })
})

describe("Question.searchedTerms", () => {
  const searched = (text: string, known: ReadonlyArray<string>) =>
    Question.searchedTerms(Question.parse(text), (term) => known.includes(term)).map(({ term }) => term)

  it("has a root of a word that the index does not have", () => {
    assert.include(searched("utility", ["util"]), "util")
    assert.include(searched("utility", ["util"]), "utiliti")
  })

  it("has no other for a word that the index has, and none that the index does not have", () => {
    assert.deepStrictEqual(searched("utility", ["utiliti", "util"]), ["utiliti"])
    assert.deepStrictEqual(searched("utility", []), ["utiliti"])
  })

  it("has each term once, with the weight of the word", () => {
    const terms = Question.searchedTerms(Question.parse("global globally utility"), (term) =>
      /^(global|util)$/.test(term),
    )
    assert.strictEqual(terms.filter(({ term }) => term === "global").length, 1)
    assert.strictEqual(terms.find(({ term }) => term === "util")?.weight, 1)
    assert.strictEqual(new Set(terms.map(({ term }) => term)).size, terms.length)
  })

  it("has no root of two words of the question as one", () => {
    assert.deepStrictEqual(searched("util ity", ["util", "ity"]), ["util", "ity", "utiliti"])
  })
})

describe("Question.guessedTerms", () => {
  const weights = (question: string, identifiers: ReadonlyArray<string>) =>
    Question.guessedTerms(Question.parse(question), identifiers)

  it("are the words of identifiers and the identifiers themselves, without those of the question", () => {
    assert.deepStrictEqual(
      weights("retry a request that a busy server refuses", ["RetryPolicy", "busy"]).map(({ term }) => term),
      ["polici", "retrypolici"],
    )
  })

  it("count half at most, and together at most half of the question", () => {
    const sum = (terms: ReadonlyArray<Question.WeightedTerm>) => terms.reduce((sum, { weight }) => sum + weight, 0)
    const question = "retry requests refused"
    const many = Array.from({ length: 1000 }, (_, n) => `guess${String.fromCharCode(97 + (n % 26))}${n}`)
    for (const identifiers of [["backoff"], ["backoff", "sleep", "wait_for", "Delay"], many]) {
      const terms = weights(question, identifiers)
      assert.isAbove(terms.length, 0)
      assert.isAtMost(terms.length, 64)
      for (const { weight } of terms) assert.isAtMost(weight, 0.5)
      assert.isAtMost(sum(terms), sum(Question.parse(question).terms) / 2 + 1e-9)
    }
  })
})
