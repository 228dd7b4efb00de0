import { assert, describe, it } from "vitest"
import { diffWords } from "../../../src/page/conversation/wordDiff.ts"

describe("diffWords", () => {
  it("says which words were added and removed, and the parts make both texts", () => {
    const parts = diffWords("read the file", "read a file twice")
    const join = (leftOut: string) =>
      parts
        .filter(({ is }) => is !== leftOut)
        .map(({ text }) => text)
        .join("")
    assert.deepStrictEqual([join("added"), join("removed")], ["read the file", "read a file twice"])
    assert.deepStrictEqual(
      parts.filter(({ is }) => is !== "same").map(({ text }) => text.trim()),
      ["the", "a", "twice"],
    )
  })

  it("compares long texts that have nothing in common by their lines", () => {
    const a = Array.from({ length: 9000 }, (_, index) => `a${index}`).join(" ")
    const b = Array.from({ length: 9000 }, (_, index) => `b${index}`).join(" ")
    assert.strictEqual(diffWords(a, b).length, 2)
  })
})
