import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { clauses, refersBack } from "../../../src/wiki/reading/clauses.ts"

describe("the clauses of a question", () => {
  it.each([
    ["how are sessions stored", ["how are sessions stored"]],
    ["Where is it written, and when?", ["Where is it written", "when"]],
    ["Is it cached and can it be turned off", ["Is it cached", "can it be turned off"]],
    ["Where is a, how is b and which c is d?", ["Where is a", "how is b", "which c is d"]],
    ["What happens to a plugin? Could it be kept?", ["What happens to a plugin", "Could it be kept"]],
    ["It fails. Why does it fail", ["It fails", "Why does it fail"]],
    // A list of things, a name and a number are one part.
    ["how are headers, cookies and files stored", ["how are headers, cookies and files stored"]],
    ["what does src/app.ts do with 1.5", ["what does src/app.ts do with 1.5"]],
    ["what is done when or where", ["what is done when", "where"]],
    ["", []],
    [" ?? ", []],
  ])("of %j are %j", (question, expected) => {
    assert.deepStrictEqual(clauses(question), expected)
  })

  it("are six at most, none of them empty, and all stand in the question in this order", () => {
    const words = FastCheck.constantFrom("where", "is", "it", "and", ",", "?", "how", "stored", ".", "or", "session")
    FastCheck.assert(
      FastCheck.property(FastCheck.array(words, { maxLength: 60 }), (parts) => {
        const question = parts.join(" ")
        const found = clauses(question)
        assert.isAtMost(found.length, 6)
        let from = 0
        for (const clause of found) {
          assert.notStrictEqual(clause.trim(), "")
          const at = question.indexOf(clause, from)
          assert.isAtLeast(at, from)
          from = at + clause.length
        }
      }),
    )
  })

  it("say if they are about another one", () => {
    assert.isTrue(refersBack("when is it written"))
    assert.isTrue(refersBack("where is that decided"))
    assert.isFalse(refersBack("when is an item written"))
    assert.isFalse(refersBack("what happens to a plugin that fails"))
  })
})
