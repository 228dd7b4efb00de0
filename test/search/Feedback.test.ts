import { assert, describe, it } from "@effect/vitest"
import * as Feedback from "../../src/search/Feedback.ts"
import { FEEDBACK_WEIGHT } from "../../src/search/Ranking.ts"

const question = [
  { term: "cooki", weight: 1 },
  { term: "purpos", weight: 0.5 },
]
const answer = (qualifiedName: string, score = 1, doc = "", purpose = ""): Feedback.Answer => ({
  qualifiedName,
  score,
  doc,
  purpose,
})
const idf = () => 1

describe("Feedback.terms", () => {
  it("are those of the names and of the first sentences of the comments of the best answers", () => {
    const found = Feedback.terms(question, [answer("Jar.store", 1, "Keeps headers. Never expires.")], idf)
    assert.sameMembers(
      found.map(({ term }) => term),
      ["jar", "stor", "keep", "head"],
    )
  })

  it("are those of a purpose where an answer has one, and not those of its comment", () => {
    const found = Feedback.terms(question, [answer("jar", 1, "Keeps headers.", "Stores cookies. Expires them.")], idf)
    assert.sameMembers(
      found.map(({ term }) => term),
      ["jar", "stor", "cooki", "expir"],
    )
  })

  it("have a fixed share of the weight of the question together", () => {
    const found = Feedback.terms(question, [answer("jar"), answer("cookieJar", 2)], idf)
    const sum = found.reduce((sum, { weight }) => sum + weight, 0)
    assert.closeTo(sum, FEEDBACK_WEIGHT * 1.5, 1e-9)
  })

  it("weigh more where more and better answers have them, words of the question too", () => {
    const found = Feedback.terms(question, [answer("cookieJar", 2), answer("cookieLid", 1)], idf)
    assert.deepStrictEqual(
      found.map(({ term }) => term),
      ["cooki", "jar", "lid"],
    )
  })

  it("are the twelve that distinguish most", () => {
    const words = "apple banana cherry damson elder fig grape hazel iris jasmin kiwi lemon mango"
    const found = Feedback.terms(question, [answer(words)], (term) => (term === "fig" ? 0 : 1))
    assert.lengthOf(found, 12)
    assert.notInclude(
      found.map(({ term }) => term),
      "fig",
    )
  })

  it("are none where there is no answer", () => {
    assert.deepStrictEqual(Feedback.terms(question, [], idf), [])
  })
})
