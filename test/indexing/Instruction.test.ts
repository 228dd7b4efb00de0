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
    assert.include(opening, "Work is left in 1 file, most in this:\n- a.ts (2)")
    assert.include(opening, "You can answer 1 time:")
  })

  it("has the plural for several", () => {
    const opening = Instruction.opening("/repo", [file({ derived: 2 }), file({ path: "b.ts", open: 2 })], [], 20)
    assert.include(
      opening,
      "It has 2 files with 2 symbols; 3 major symbols have no purpose yet, and that of 2 others was only derived from their name.",
    )
    assert.include(opening, "Work is left in 2 files, most in these:\n- a.ts (3)\n- b.ts (2)")
  })
})
