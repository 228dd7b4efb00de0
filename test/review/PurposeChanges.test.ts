import { assert, describe, it } from "@effect/vitest"
import * as Purposes from "../../src/index/Purposes.ts"
import * as PurposeChanges from "../../src/review/PurposeChanges.ts"

const line = (symbol: string, purpose: string, hash = "h") =>
  Purposes.encode({ path: "a.ts", symbol, kind: "function", hash, purpose, model: "m/n", node: "n-1" }).text

const text = (...lines: ReadonlyArray<string>) => lines.map((one) => `${one}\n`).join("")

describe("PurposeChanges.count", () => {
  const before = text(line("one", "Counts."), line("two", "Adds.", "h1"), line("two", "Adds two.", "h2"))

  it("counts no lines in another order", () => {
    const after = text(line("two", "Adds two.", "h2"), line("one", "Counts."), line("two", "Adds.", "h1"))
    assert.deepStrictEqual(PurposeChanges.count(before, after), { new: 0, rewritten: 0, removed: 0 })
  })

  it("counts a symbol as rewritten if one of its lines differs and another does not", () => {
    const after = text(line("one", "Counts."), line("two", "Adds.", "h1"), line("two", "Adds both.", "h2"))
    assert.deepStrictEqual(PurposeChanges.count(before, after), { new: 0, rewritten: 1, removed: 0 })
  })

  it("counts a symbol as rewritten if it has lost or got a line", () => {
    const fewer = text(line("one", "Counts."), line("two", "Adds.", "h1"))
    assert.deepStrictEqual(PurposeChanges.count(before, fewer), { new: 0, rewritten: 1, removed: 0 })
    assert.deepStrictEqual(PurposeChanges.count(fewer, before), { new: 0, rewritten: 1, removed: 0 })
  })

  it("counts symbols of which there was no line, and of which there is none any more", () => {
    const after = text(line("three", "Triples."), line("four", "Fours."), line("one", "Counts."))
    assert.deepStrictEqual(PurposeChanges.count(before, after), { new: 2, rewritten: 0, removed: 1 })
  })
})
