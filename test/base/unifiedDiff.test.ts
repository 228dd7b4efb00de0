import { assert, describe, it } from "@effect/vitest"
import * as unifiedDiff from "../../src/base/unifiedDiff.ts"

const lines = (...lines: ReadonlyArray<string | number>) => lines.map((line) => `${line}\n`).join("")

const between = (before: string, after: string) =>
  unifiedDiff.unifiedDiff({ name: "a.md", text: before }, { name: "b.md", text: after })

describe("a unified diff", () => {
  it("shows each change with three lines around it, and nothing between them", () => {
    const numbers = Array.from({ length: 20 }, (_, at) => at + 1)
    const changed = numbers.map((number) => (number === 2 ? "two" : number === 15 ? "fifteen" : number))
    assert.deepStrictEqual(between(lines(...numbers), lines(...changed))?.split("\n"), [
      "--- a.md",
      "+++ b.md",
      "@@ -1,5 +1,5 @@",
      " 1",
      "-2",
      "+two",
      " 3",
      " 4",
      " 5",
      "@@ -12,7 +12,7 @@",
      " 12",
      " 13",
      " 14",
      "-15",
      "+fifteen",
      " 16",
      " 17",
      " 18",
    ])
  })

  it("is none between what is the same", () => {
    assert.isUndefined(between("a", "a"))
  })

  it("marks a last line without a line break", () => {
    assert.include(between("a\n", "a"), "\\ No newline at end of file")
  })

  it("is right of a text that begins, and of one that ends", () => {
    assert.deepStrictEqual(between("", "a\n")?.split("\n").slice(2), ["@@ -0,0 +1,1 @@", "+a"])
    assert.deepStrictEqual(between("a\n", "")?.split("\n").slice(2), ["@@ -1,1 +0,0 @@", "-a"])
  })
})
