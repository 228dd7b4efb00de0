import { assert, describe, it } from "@effect/vitest"
import * as Patch from "../../../src/cli/document/Patch.ts"

const lines = (...lines: ReadonlyArray<string | number>) => lines.map((line) => `${line}\n`).join("")

describe("what changed in a text", () => {
  it("is shown place by place, with three lines around each", () => {
    const numbers = Array.from({ length: 20 }, (_, at) => at + 1)
    const changed = numbers.map((number) => (number === 2 ? "two" : number === 15 ? "fifteen" : number))
    assert.strictEqual(
      Patch.between("a.md", lines(...numbers), lines(...changed)),
      lines(
        "--- a.md",
        "+++ a.md",
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
      ).trimEnd(),
    )
  })

  it("is nothing where they are the same", () => {
    assert.strictEqual(Patch.between("a.md", "a", "a"), undefined)
  })

  it("tells of a last line that does not end", () => {
    assert.include(Patch.between("a.md", "a\n", "a") ?? "", "\\ No newline at end of file")
  })
})
