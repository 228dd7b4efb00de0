import { assert, describe, it } from "@effect/vitest"
import * as Document from "../../../src/conversation/document/Document.ts"

const poem = Document.make("one\n\ntwo\n\nthree\n")

describe("Document", () => {
  it("is edited while it differs from the version that the model knows", () => {
    const edited = Document.edit(poem, "ONE\n\ntwo\n\nthree\n")
    assert.isFalse(Document.isEdited(poem))
    assert.isTrue(Document.isEdited(edited))
    assert.isFalse(Document.isEdited(Document.edit(edited, poem.text)))
    assert.isFalse(Document.isEdited(Document.markKnown(edited)))
  })

  it("merges an edit of an older version with what has changed since", () => {
    const revised = Document.revise(poem, "one\n\ntwo\n\nTHREE\n")
    const edited = Document.edit(revised, "ONE\n\ntwo\n\nthree\n", poem.text)
    assert.strictEqual(edited.text, "ONE\n\ntwo\n\nTHREE\n")
    assert.strictEqual(edited.known, revised.text)
    assert.deepStrictEqual(Document.conflicts(edited), [])
    assert.strictEqual(Document.edit(revised, poem.text, poem.text).text, revised.text)
  })

  it("keeps the user's lines where the model has changed the same lines since", () => {
    const revised = Document.revise(poem, "one\n\ndeux\n\nthree\n")
    const edited = Document.edit(revised, "one\n\nzwei\n\nthree\n", poem.text)
    assert.strictEqual(edited.text, "one\n\nzwei\n\nthree\n")
    assert.deepStrictEqual(
      Document.conflicts(edited).map(({ model, user }) => [user, model]),
      [["zwei\n", "deux\n"]],
    )
  })

  it("takes the model's text where the user has not edited it", () => {
    assert.deepStrictEqual(Document.revise(poem, "four\n"), Document.make("four\n"))
  })

  it("merges separate changes, and counts as edited until the model has seen the result", () => {
    const revised = Document.revise(Document.edit(poem, "ONE\n\ntwo\n\nthree\n"), "one\n\ntwo\n\nTHREE\n")
    assert.strictEqual(revised.text, "ONE\n\ntwo\n\nTHREE\n")
    assert.strictEqual(revised.known, "one\n\ntwo\n\nTHREE\n")
    assert.isTrue(Document.isEdited(revised))
    assert.deepStrictEqual(Document.conflicts(revised), [])
    assert.strictEqual(Document.withConflictMarks(revised), revised.text)
  })

  it("keeps the user's lines in a conflict, and shows both between marks", () => {
    const revised = Document.revise(Document.edit(poem, "one\n\nZWEI\n\nthree\n"), "one\n\ndeux\n\nthree\n")
    assert.strictEqual(revised.text, "one\n\nZWEI\n\nthree\n")
    assert.deepStrictEqual(Document.conflicts(revised), [
      { type: "conflict", base: "two\n", user: "ZWEI\n", model: "deux\n" },
    ])
    assert.strictEqual(
      Document.withConflictMarks(revised),
      "one\n\n<<<<<<< user\nZWEI\n||||||| before\ntwo\n=======\ndeux\n>>>>>>> model\n\nthree\n",
    )
  })

  it("has no conflict after the next edit or revision", () => {
    const conflict = Document.revise(Document.edit(poem, "mine"), "its")
    assert.lengthOf(Document.conflicts(conflict), 1)
    assert.lengthOf(Document.conflicts(Document.edit(conflict, conflict.text)), 1)
    assert.lengthOf(Document.conflicts(Document.edit(conflict, "ours")), 0)
    assert.lengthOf(Document.conflicts(Document.markKnown(conflict)), 1)
    assert.lengthOf(Document.conflicts(Document.revise(Document.markKnown(conflict), "ours")), 0)
  })

  it("is not edited where both made the same change", () => {
    assert.isFalse(Document.isEdited(Document.revise(Document.edit(poem, "ours"), "ours")))
  })
})
