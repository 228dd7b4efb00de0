import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as Revision from "../../../src/conversation/document/Revision.ts"

const wrong = (known: string, ...edits: ReadonlyArray<Revision.Edit>) =>
  Either.getOrThrow(Either.flip(Revision.applyEdits(known, edits)))

describe("edits", () => {
  it("are made one after the other", () => {
    const edits = [
      { find: "two\n", replace: "2\n" },
      { find: "2\nthree", replace: "2\n\n3" },
      { find: "one\n", replace: "" },
    ]
    assert.deepStrictEqual(Revision.applyEdits("one\ntwo\nthree\n", edits), Either.right("2\n\n3\n"))
  })

  it("search and replace literal text", () => {
    assert.deepStrictEqual(
      Revision.applyEdits("a $1 .* b", [{ find: "$1 .*", replace: "$& \\1" }]),
      Either.right("a $& \\1 b"),
    )
  })

  it("find lines whichever way the model ends them, unless the document has both", () => {
    assert.deepStrictEqual(
      Revision.applyEdits("a\nb\n", [{ find: "a\r\nb", replace: "c\r\nd" }]),
      Either.right("c\nd\n"),
    )
    assert.deepStrictEqual(Revision.applyEdits("a\r\nb\n", [{ find: "a\r\nb", replace: "c" }]), Either.right("c\n"))
  })

  it("are none of them made where one stands nowhere, or at several places", () => {
    assert.strictEqual(wrong("one", { find: "two", replace: "2" }), 'edit 1: the document does not contain "two"')
    assert.strictEqual(
      wrong("a b a c a", { find: "b", replace: "d" }, { find: "a", replace: "e" }),
      'edit 2: "a" occurs 3 times: include more of its context',
    )
  })
})

describe("a whole text", () => {
  it.each<readonly [known: string, text: string, expected: string]>([
    ["one\n", "two", "two\n"],
    ["one\n", "two\n", "two\n"],
    ["one", "two\n", "two"],
    ["one", "two", "two"],
    ["", "two", "two\n"],
    ["a\n", "b\r\nc\r\n", "b\nc\n"],
    ["a\n", "b\0\ud800\n", "b\ufffd\n"],
  ])("in the place of %j: %j is %j", (known, text, expected) => {
    assert.strictEqual(Revision.replaceWhole(known, text), expected)
  })

  it("is found in an answer between lines of their own, the last of several", () => {
    assert.strictEqual(Revision.findInAnswer("Here:\n<document>\n# A\n\n- b\n</document>\nSo."), "# A\n\n- b\n")
    assert.strictEqual(Revision.findInAnswer("<document>\na\n</document>\n<document>\nb\n</document>"), "b\n")
    assert.strictEqual(Revision.findInAnswer("Put it between <document> and </document>."), undefined)
    assert.strictEqual(Revision.findInAnswer("<document>\nhalf of it"), undefined)
  })
})
