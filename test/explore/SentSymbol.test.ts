import { assert, describe, it } from "@effect/vitest"
import * as Instruction from "../../src/explore/Instruction.ts"
import * as SentSymbol from "../../src/explore/SentSymbol.ts"

const source = [
  "== src/door.ts",
  "import { key } from './key'",
  "§1 used by enter",
  "export function open() {",
  "  // §2 is not a mark here",
  "}",
  "§2",
  "export function close() {}",
  "in class House: Where guests are.",
  "§12",
  "ring() {}",
  "== src/key.ts",
  "§13 key, used by open",
  "export const key = '§1'",
].join("\n")

const symbols = Array.from({ length: 13 })

const message = (weak: ReadonlyArray<Instruction.EarlierPurpose> = []) =>
  // Only how many symbols there are is read of them.
  Instruction.batch("§1\nA map with a mark.", { area: "src", symbols, text: source, tokens: 100 } as never, weak)

describe("SentSymbol.find", () => {
  it("has the source of a symbol from its mark to the next one, and the file and the batch that it is of", () => {
    assert.deepStrictEqual(SentSymbol.find(message(), 1), {
      path: "src/door.ts",
      lines: ["§1 used by enter", "export function open() {", "  // §2 is not a mark here", "}"],
      before: undefined,
      batch: { area: "src", symbols: 13 },
    })
  })

  it("ends at the next file, and at the end of the source", () => {
    assert.deepStrictEqual(SentSymbol.find(message(), 12)?.lines, ["§12", "ring() {}"])
    const last = SentSymbol.find(message([{ number: 13, purpose: "A key.", reason: "says nothing" }]), 13)
    assert.deepStrictEqual(last?.lines, ["§13 key, used by open", "export const key = '§1'"])
    assert.strictEqual(last?.path, "src/key.ts")
  })

  it("has the purpose with which a symbol was sent again", () => {
    const again = message([{ number: 2, purpose: "Closes.", reason: "says no more than its name" }])
    assert.strictEqual(SentSymbol.find(again, 2)?.before, '§2 "Closes.": says no more than its name')
    assert.strictEqual(SentSymbol.find(again, 1)?.before, undefined)
  })

  it("has it too where several symbols were sent again for the same", () => {
    const same = { purpose: "Closes.", reason: "says no more than its name" }
    const again = message([1, 2].map((number) => ({ number, ...same })))
    assert.strictEqual(SentSymbol.find(again, 2)?.before, '§1–§2 "Closes.": says no more than its name')
    assert.strictEqual(SentSymbol.find(again, 12)?.before, undefined)
  })

  it("finds nothing in a message without that symbol", () => {
    assert.isUndefined(SentSymbol.find(message(), 3))
    assert.isUndefined(SentSymbol.find("Begin by exploring the codebase at '.'.", 1))
  })
})

describe("SentSymbol.find, its borders", () => {
  it("finds nothing without a file, without its mark, and behind the source", () => {
    assert.isUndefined(SentSymbol.find("§1\na()", 1))
    assert.isUndefined(SentSymbol.find("§1\n== a.ts\n§2\na()", 1))
    assert.isUndefined(SentSymbol.find("== a.ts\n§1\na()\n\n§2 b()", 2))
    assert.isUndefined(SentSymbol.find("== a.ts\n§1\na()", 2))
  })

  it("finds a symbol on the first lines, without a batch and an earlier purpose", () => {
    assert.deepStrictEqual(SentSymbol.find("== a.ts\n§1\na()", 1), {
      path: "a.ts",
      lines: ["§1", "a()"],
      before: undefined,
      batch: undefined,
    })
  })

  it("ends at any next mark, and at the blank line", () => {
    const lines = (text: string) => SentSymbol.find(text, 1)?.lines
    assert.deepStrictEqual(lines("== a.ts\n§1\na()\n§12\nb()"), ["§1", "a()"])
    assert.deepStrictEqual(lines("== a.ts\n§1 go\na()\n§2x\n §2\n\nb()"), ["§1 go", "a()", "§2x", " §2"])
  })

  it.each<readonly [row: string, number: number, isOf: boolean]>([
    ["§1 a", 1, true],
    ["§12–§34 a", 12, true],
    ["§12–§34 a", 34, true],
    ["§12–§34 a", 35, false],
    ["§12–§34 a", 11, false],
    ["§1 a", 11, false],
    ["a §12 b", 12, false],
    ["§12", 12, false],
  ])("takes %j for a row about §%i: %s", (row, number, isOf) => {
    const found = SentSymbol.find(`== a.ts\n§${number}\na()\n\nWhat was written before:\n${row}`, number)
    assert.strictEqual(found?.before, isOf ? row : undefined)
  })

  it.each<readonly [line: string, batch: { readonly area: string; readonly symbols: number } | undefined]>([
    ["From src, 1 symbol to explain (§1):", { area: "src", symbols: 1 }],
    ["From a, b, 1,234 symbols to explain:", { area: "a, b", symbols: 1_234 }],
    ["Not From src, 2 symbols to explain:", undefined],
    ["From src, 2 symbols", undefined],
  ])("reads of %j the batch %j", (line, batch) => {
    assert.deepStrictEqual(SentSymbol.find(`${line}\n\n== a.ts\n§1\na()`, 1)?.batch, batch)
  })
})
