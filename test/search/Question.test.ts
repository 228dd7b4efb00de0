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
