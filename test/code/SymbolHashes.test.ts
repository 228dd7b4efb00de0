import { assert, describe, it } from "@effect/vitest"
import * as SymbolHashes from "../../src/code/SymbolHashes.ts"

const { contentHash, tokenHash } = SymbolHashes

describe("SymbolHashes", () => {
  it("are the same however a checkout ends its lines, and others for any other change", () => {
    const hash = contentHash("function", "a", "a() {\n  return 1\n}")
    assert.strictEqual(contentHash("function", "a", "a() {\r\n  return 1\r\n}"), hash)
    assert.strictEqual(contentHash("function", "a", "a() {\r\n  return 1\n}"), hash)
    assert.notStrictEqual(contentHash("function", "a", "a() {\n  return 1\r}"), hash)
    assert.notStrictEqual(contentHash("function", "a", "a() {\n\n  return 1\n}"), hash)
  })

  it("have one of the tokens if they can be read", () => {
    assert.isUndefined(tokenHash("function", "a", undefined))
    assert.strictEqual(tokenHash("function", "a", "b"), contentHash("function", "a", "b"))
  })

  it("are those of the part of the text that each symbol has, in the order of the symbols", () => {
    const text = "a  = 1\nb = 2\n"
    const symbol = { container: undefined, kind: "variable" } as const
    const a = { ...symbol, name: "a", start: 0, end: 6 }
    const b = { ...symbol, name: "b", container: "A", start: 7, end: 12 }
    assert.deepStrictEqual(SymbolHashes.ofAll("a.py", text, [a, b]), [
      { source: contentHash("variable", "a", "a  = 1"), tokens: contentHash("variable", "a", "a\0=\0" + "1") },
      { source: contentHash("variable", "A.b", "b = 2"), tokens: contentHash("variable", "A.b", "b\0=\0" + "2") },
    ])
    assert.deepStrictEqual(SymbolHashes.ofAll("a.unknown", text, [a])[0]?.tokens, undefined)
  })
})
