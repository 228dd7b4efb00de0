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
