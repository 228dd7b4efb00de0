import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as EditNotice from "../../../src/conversation/document/editNotice.ts"
import { cases } from "../../thoroughness.ts"

const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`)
const text = lines.join("\n")
const edited = lines.with(20, "line twenty").join("\n")
const recorded = { text, changed: 0 }

describe("notices of edits", () => {
  it("have a short text whole, in the specified form", () => {
    assert.strictEqual(
      EditNotice.format({ text: "a cat", changed: 0 }, "a cat", "a dog"),
      `[user edited prompt to: "a dog"]`,
    )
    assert.strictEqual(EditNotice.shorten(EditNotice.whole("a dog"), "a cat"), `[user edited prompt to: "a dog"]`)
  })

  it("have a change of a long text as a diff", () => {
    const notice = EditNotice.format(recorded, text, edited)
    assert.match(notice, /^\[user edited prompt:\n@@ -18,7 \+18,7 @@\n[^"]*-line 20\n\+line twenty\n/)
    assert.strictEqual(EditNotice.read(recorded, notice)?.text, edited)
    assert.strictEqual(EditNotice.shorten(notice), notice)
  })

  it("have a long text whole where the path has no version before it", () => {
    assert.strictEqual(EditNotice.format(undefined, text, edited), EditNotice.whole(edited))
  })

  it("tell the model's own changes apart from the user's", () => {
    const known = lines.with(100, "of the model").join("\n")
    const both = lines.with(100, "of the model").with(20, "line twenty").join("\n")
    const notice = EditNotice.format(recorded, known, both)
    assert.match(
      notice,
      /^\[prompt before the edit:\n[^\]]*\+of the model\n[^\]]*\]\n\[user edited prompt:\n[^\]]*\+line twenty/,
    )
    assert.strictEqual(EditNotice.read(recorded, notice)?.text, both)
  })

  it("have the whole text again before the changes are longer than it", () => {
    let last: EditNotice.Recorded = recorded
    let wholes = 0
    for (let index = 0; index < lines.length; index++) {
      const next = last.text.replace(`line ${index}`, `${index}th line`)
      const notice = EditNotice.format(last, last.text, next)
      if (notice === EditNotice.whole(next)) wholes++
      last = EditNotice.read(last, notice) ?? last
      assert.strictEqual(last.text, next)
      assert.isAtMost(last.changed, next.length)
    }
    assert.isAbove(wholes, 0)
    assert.isBelow(wholes, lines.length / 8)
  })

  it("have a diff as long as the text and the changes before it together, and no longer one", () => {
    const { length } = EditNotice.format(recorded, text, edited)
    const formatAfter = (changed: number) => EditNotice.format({ text, changed }, text, edited)
    assert.match(formatAfter(edited.length - length), /^\[user edited prompt:\n@@/)
    assert.strictEqual(formatAfter(edited.length - length + 1), EditNotice.whole(edited))
    assert.strictEqual(EditNotice.read({ text, changed: 7 }, formatAfter(7))?.changed, 7 + length)
  })

  it("are shortened in requests to a diff, or to a line where the version before is unknown or nothing of it is left", () => {
    const notice = EditNotice.whole(edited)
    assert.match(EditNotice.shorten(notice, text), /^\[user edited prompt:\n@@/)
    const line = "[user edited prompt; its current text is at the end]"
    assert.strictEqual(EditNotice.shorten(notice), line)
    assert.strictEqual(EditNotice.shorten(notice, "something else\n".repeat(200)), line)
  })

  it("are not read from what a user wrote", () => {
    for (const notice of [
      "",
      "hello",
      "[user edited prompt:\nhello\n]",
      "[user edited prompt:\n@@ -1,1 +1,1 @@\n-x\n+y\n]",
    ]) {
      assert.isUndefined(EditNotice.read(recorded, notice))
    }
  })

  it("keep every character of any text", () => {
    const line = FastCheck.oneof(
      FastCheck.constantFrom("", "]", "@@ -1 +1 @@", "\\ No newline", '"]', "--- prompt"),
      FastCheck.string(),
    )
    const any = FastCheck.array(line, { maxLength: 5 })
    const ending = FastCheck.constantFrom("", "\n", "\r\n", "\n\n", "\r")
    FastCheck.assert(
      FastCheck.property(any, any, any, ending, FastCheck.nat({ max: 200 }), (one, two, three, ending, at) => {
        const before = { text: lines.toSpliced(at, 3, ...one).join("\n"), changed: 0 }
        const known = lines.toSpliced(at, 3, ...two).join("\n") + ending
        const after = lines.toSpliced(at, 0, ...three).join("\n")
        assert.strictEqual(EditNotice.read(before, EditNotice.format(before, known, after))?.text, after)
      }),
      { numRuns: cases(500) },
    )
  })
})
