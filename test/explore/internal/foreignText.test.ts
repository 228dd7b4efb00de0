/** How lines of source and other foreign texts are cut and made safe. */
import { assert, describe, it } from "@effect/vitest"
import * as ForeignText from "../../../src/explore/internal/foreignText.ts"

describe("foreignText.cutLine", () => {
  it("has 200 characters at most, the last of which says that there are more", () => {
    assert.strictEqual(ForeignText.cutLine("x".repeat(200)), "x".repeat(200))
    assert.strictEqual(ForeignText.cutLine("x".repeat(201)), `${"x".repeat(199)}…`)
    assert.strictEqual(ForeignText.cutLine(`  ${"x".repeat(10)}  \t`), `  ${"x".repeat(10)}`)
  })

  it("looks at no more of a line than it may show", () => {
    assert.strictEqual(ForeignText.cutLine(`${"x".repeat(199)}${" ".repeat(9)}y`), "x".repeat(199))
  })

  it("cuts no character in two", () => {
    assert.strictEqual(ForeignText.cutLine(`${"x".repeat(198)}😀${"y".repeat(9)}`), `${"x".repeat(198)}…`)
    assert.strictEqual(ForeignText.cutLine(`${"x".repeat(197)}😀${"y".repeat(9)}`), `${"x".repeat(197)}😀…`)
  })
})

describe("foreignText.oneLine", () => {
  it("joins white space, and cuts at the characters that are given", () => {
    assert.strictEqual(ForeignText.oneLine(" a\n\tb  c ", 9), "a b c")
    assert.strictEqual(ForeignText.oneLine("abcdef", 6), "abcdef")
    assert.strictEqual(ForeignText.oneLine("abcdefg", 6), "abcde…")
  })
})

describe("foreignText.clean", () => {
  it("leaves nothing that looks like a mark, or that a terminal would obey", () => {
    assert.strictEqual(ForeignText.clean("§1 a"), "¶1 a")
    assert.strictEqual(ForeignText.clean("\u001b[2Ja\nb"), "a b")
    assert.strictEqual(ForeignText.clean("\ta ~"), "\ta ~")
  })
})

describe("foreignText.sizeOf, foreignText.fewest", () => {
  it("rounds the tokens of a line up in sums, and down in savings", () => {
    const line = "x".repeat(15)
    assert.strictEqual(ForeignText.sizeOf(line), 5)
    assert.strictEqual(ForeignText.fewest(line), 4)
    // The end of a line counts as a character.
    assert.strictEqual(ForeignText.fewest("x".repeat(9)), 3)
    assert.strictEqual(ForeignText.sizeOf("x".repeat(10)), 4)
    assert.strictEqual(ForeignText.sizeOf(""), 1)
  })
})
