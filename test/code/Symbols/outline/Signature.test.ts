import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Signature from "../../../../src/code/Symbols/internal/outline/Signature.ts"
import { isThorough, some } from "../../../thoroughness.ts"
import { inLinearTime } from "../../../utils/linearTime.ts"

const signature = (text: string, isValue = false) =>
  Signature.make(text, [], { lead: "", start: 0, end: text.length, isValue })

describe("a signature", () => {
  it("is one line without what leads to a body", () => {
    assert.strictEqual(
      signature("function  a(\n  b: string,\n  c: number,\n): void {"),
      "function a(b: string, c: number): void",
    )
    assert.strictEqual(signature("const a = (b) =>"), "const a = (b)")
    assert.strictEqual(signature("def a(b):\r\n"), "def a(b)")
    assert.strictEqual(signature("int a;"), "int a")
  })

  it("leaves out comments and annotations", () => {
    const text = "@One a(/* why */ b) // so"
    const asides = [
      { start: 0, end: 4, isComment: false },
      { start: 7, end: 16, isComment: true },
      { start: 20, end: 25, isComment: true },
    ]
    assert.strictEqual(Signature.make(text, asides, { lead: "", start: 0, end: text.length, isValue: false }), "a(b)")
  })

  it("has a value where it is short, and only then", () => {
    assert.strictEqual(signature("const a = 1", true), "const a = 1")
    assert.strictEqual(signature("const a: (b: C) => D = {\n  b,\n}", true), "const a: (b: C) => D")
    assert.strictEqual(signature("A ||= {\n}", true), "A")
  })

  it("says first what it shares with others", () => {
    assert.strictEqual(
      Signature.make("b = 2", [], { lead: "export const ", start: 0, end: 5, isValue: true }),
      "export const b = 2",
    )
  })

  it("ends after 200 characters, and not within one", () => {
    const long = signature(`type A = "${"🌱".repeat(300)}"`)
    assert.isAtMost(long.length, 200)
    assert.isTrue(long.isWellFormed())
    assert.isTrue(long.endsWith("🌱…"))
    assert.lengthOf(signature("a".repeat(200)), 200)
    assert.isAtMost(signature(`f(${" \n".repeat(100_000)})`).length, 200)
  })

  it.effect("takes time in proportion to its text, whatever marks it is made of", () =>
    inLinearTime(
      Effect.sync(() => {
        for (const mark of some(["=", "= ", " =", ":", ",", "=>", " ", "( ", ", )", "{;", "||="], 0, 3)) {
          const text = `f(a = "${mark.repeat(4_000 / mark.length)}x") {`
          // Quadratic time would be minutes for these.
          for (let times = 0; times < (isThorough ? 500 : 50); times++) signature(text, times % 2 === 0)
          assert.isTrue(signature(text).startsWith("f(a = "))
        }
      }),
    ),
  )
})
