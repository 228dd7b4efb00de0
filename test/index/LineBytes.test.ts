import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as LineBytes from "../../src/index/LineBytes.ts"
import * as PurposeMerge from "../../src/index/PurposeMerge.ts"
import * as Purposes from "../../src/index/Purposes.ts"

const purpose = Purposes.encode({
  path: "src/a.ts",
  symbol: "café",
  kind: "function",
  hash: "h1",
  purpose: "Adds.",
  model: "google/gemini-2.5-flash",
  node: "n-1",
}).text

/** Pieces of lines: records, whole and half characters, NUL, byte order marks, and the bytes of a damaged purpose. */
const piece = FastCheck.oneof(
  FastCheck.constantFrom(purpose, "\n", "\n", "\r\n", "\0", "\uFEFF", "é", "<<<<<<< ours").map((text) =>
    Buffer.from(text),
  ),
  FastCheck.integer({ min: 0, max: 255 }).map((byte) => Buffer.from([byte])),
  FastCheck.constant(Buffer.from(purpose.replace("café", "caf\xE9"), "latin1")),
)
const someBytes = FastCheck.array(piece, { maxLength: 12 }).map((parts) => Buffer.concat(parts))

const bytesOf = (text: string): Buffer => Buffer.from(LineBytes.encode({ mark: "", text }))

describe("LineBytes", () => {
  it.prop("keeps all bytes", [someBytes], ([bytes]) => {
    const { mark, text } = LineBytes.decode(bytes)
    assert.deepStrictEqual(Buffer.from(LineBytes.encode({ mark, text })), bytes)
    assert.deepStrictEqual(Buffer.concat([Buffer.from(mark), bytesOf(text)]), bytes)
  })

  it.prop("lets a merge of purposes keep the bytes of all lines that are none", [someBytes, someBytes], (sides) => {
    const [ours, theirs] = sides.map((bytes) => LineBytes.decode(bytes).text)
    const merged = bytesOf(PurposeMerge.merge({ base: "", ours: ours ?? "", theirs: theirs ?? "" }).text)
    for (const side of [ours ?? "", theirs ?? ""]) {
      for (const line of Purposes.parse(side).invalid) assert.isTrue(merged.includes(bytesOf(`${line}\n`)))
    }
  })

  it("takes a purpose that is not UTF-8 for damaged, instead of changing its bytes", () => {
    const bytes = Buffer.from(`${purpose}\n`.replace("café", "caf\xE9"), "latin1")
    const { invalid, lines } = Purposes.parse(LineBytes.decode(bytes).text)
    assert.lengthOf(lines, 0)
    assert.deepStrictEqual(invalid.map(bytesOf), [bytes.subarray(0, -1)])
  })
})
