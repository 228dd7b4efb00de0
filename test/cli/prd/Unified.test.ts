import { assert, describe, it } from "@effect/vitest"
import { unified } from "../../../src/cli/prd/Unified.ts"

const lines = (...changed: ReadonlyArray<number>) =>
  Array.from({ length: 30 }, (_, at) => `line ${at}${changed.includes(at) ? " changed" : ""}\n`).join("")

describe("a unified diff", () => {
  it("shows each change with three lines around it, and nothing between them", () => {
    const diff = unified({ name: "a", text: lines() }, { name: "b", text: lines(5, 25) })
    assert.deepStrictEqual(diff.split("\n").slice(0, 11), [
      "--- a",
      "+++ b",
      "@@ -3,7 +3,7 @@",
      " line 2",
      " line 3",
      " line 4",
      "-line 5",
      "+line 5 changed",
      " line 6",
      " line 7",
      " line 8",
    ])
    assert.include(diff, "@@ -23,7 +23,7 @@")
    assert.notInclude(diff, "line 15")
  })

  it("is empty between what is the same", () => {
    assert.strictEqual(unified({ name: "a", text: "x\n" }, { name: "b", text: "x\n" }), "")
  })
})
