import { assert, describe, it } from "@effect/vitest"
import type { IndexedFile } from "../../src/indexing/IndexStore.ts"
import * as Instruction from "../../src/indexing/Instruction.ts"

const file = (change: Partial<IndexedFile>): IndexedFile => ({
  path: "a.ts",
  language: "typescript",
  class: "code",
  symbols: 1,
  major: 1,
  open: 1,
  derived: 0,
  importance: 0,
  note: undefined,
  cut: undefined,
  ...change,
})

describe("Instruction.opening", () => {
  it("has the singular for one of a thing", () => {
    const opening = Instruction.opening("/repo", [file({ derived: 1 })], [], 1)
    assert.include(
      opening,
      "It has 1 file with 1 symbol; 1 major symbol has no purpose yet, and that of 1 other was only derived from its name.",
    )
    assert.include(opening, "Work is left in 1 file:\n- a.ts (2)")
    assert.include(opening, "You can answer 1 time:")
  })

  it("has the plural for several", () => {
    const opening = Instruction.opening("/repo", [file({ derived: 2 }), file({ path: "b.ts", open: 2 })], [], 20)
    assert.include(
      opening,
      "It has 2 files with 2 symbols; 3 major symbols have no purpose yet, and that of 2 others was only derived from their name.",
    )
    assert.include(opening, "Work is left in 2 files, the most used first:\n- a.ts (3)\n- b.ts (2)")
  })

  const tests = file({ path: "test/a.test.ts", class: "test", symbols: 487, major: 487, open: 483 })

  it("counts the code, lists it by its use, and names the other classes in one line", () => {
    const opening = Instruction.opening(
      "/repo",
      [file({ open: 90 }), file({ path: "b.ts", open: 2, importance: 40 }), tests],
      [],
      20,
    )
    assert.include(opening, "It has 3 files with 489 symbols; 92 major symbols in code have no purpose yet.")
    assert.include(opening, "Work is left in 2 files of code, the most used first:\n- b.ts (2)\n- a.ts (90)\n")
    assert.include(opening, "\nOf less use are: tests 483 in 1 file.\n")
    assert.notInclude(opening, "test/a.test.ts")
  })

  it("counts all files alike where no code has major symbols", () => {
    const opening = Instruction.opening("/repo", [tests, file({ path: "b.js", class: "vendored" })], [], 20)
    assert.include(opening, "It has 2 files with 488 symbols; 484 major symbols have no purpose yet.")
    assert.include(opening, "Work is left in 2 files, the most used first:\n- test/a.test.ts (483)\n- b.js (1)\n")
  })
})
