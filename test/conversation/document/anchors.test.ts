import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { anchors, type Lines } from "../../../src/conversation/document/anchors.ts"

/** The lines that stand fast. */
const standing = (lines: Lines) => anchors(lines).map((anchor) => lines.base[anchor.base])

const same = (text: string): Lines => ({ user: [...text], base: [...text], model: [...text] })

describe("anchors", () => {
  it("are the lines that occur once in all three texts", () => {
    assert.deepStrictEqual(standing(same("abcab")), ["c"])
    assert.deepStrictEqual(standing({ ...same("abc"), user: [..."xabcx"] }), ["a", "b", "c"])
    assert.deepStrictEqual(standing({ ...same("abc"), model: [..."ac"] }), ["a", "c"])
    assert.deepStrictEqual(standing({ ...same("abc"), model: [] }), [])
  })

  it("leave out a moved line", () => {
    assert.deepStrictEqual(standing({ ...same("abcd"), user: [..."bcda"] }), ["b", "c", "d"])
  })

  const text = FastCheck.array(FastCheck.constantFrom(..."abcdefgh"), { maxLength: 10 })

  it.prop("increase in all three texts, and are the same line there", [text, text, text], ([user, base, model]) => {
    const found = anchors({ user, base, model })
    for (const [index, anchor] of found.entries()) {
      assert.strictEqual(user[anchor.user], base[anchor.base])
      assert.strictEqual(model[anchor.model], base[anchor.base])
      const before = found[index - 1]
      if (before === undefined) continue
      assert.isTrue(before.user < anchor.user && before.base < anchor.base && before.model < anchor.model)
    }
  })
})
