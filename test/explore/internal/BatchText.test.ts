/** The sizes of units, which are added up before a batch is written. */
import { assert, describe, it } from "@effect/vitest"
import * as BatchText from "../../../src/explore/internal/BatchText.ts"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"

const entryOf = (path: string, name: string, container?: string) =>
  new IndexEntry({
    path,
    name,
    kind: "function",
    signature: `${name}()`,
    startLine: 1,
    endLine: 1,
    hash: name,
    exported: true,
    isMajor: true,
    usedBy: 0,
    ...(container !== undefined && { container }),
  })

const unit = (path: string, other: Partial<BatchText.Unit> = {}): BatchText.Unit => {
  const entry = entryOf(path, "go")
  const node = { entry, isOpen: true, isNamed: false, children: [] }
  return {
    path,
    around: [],
    symbols: [entry],
    tokens: 50,
    header: 7,
    context: 11,
    node,
    nested: true,
    lines: 28,
    ...other,
  }
}

describe("BatchText.withFile", () => {
  it("asks for a file below its last unit alone, which gets larger by that", () => {
    const file = entryOf("a.ts", "a.ts")
    const [first, last] = BatchText.withFile([unit("a.ts"), unit("a.ts")], file)
    assert.deepStrictEqual(first, unit("a.ts"))
    assert.deepStrictEqual([last?.file, last?.symbols.at(-1)], [file, file])
    assert.lengthOf(last?.symbols ?? [], 2)
    assert.isAbove(last?.tokens ?? 0, 50)
    assert.isBelow(last?.tokens ?? 0, 60)
    assert.deepStrictEqual(BatchText.withFile([], file), [])
  })
})

describe("BatchText.tokensAfter", () => {
  it("counts the header of a file once, and what is around units once while that is the same", () => {
    const outer = entryOf("a.ts", "Outer")
    const inner = unit("a.ts", { around: [outer] })
    assert.strictEqual(BatchText.tokensAfter(undefined, inner), 50)
    assert.strictEqual(BatchText.tokensAfter(unit("b.ts", { around: [outer] }), inner), 50)
    assert.strictEqual(BatchText.tokensAfter(inner, inner), 50 - 7 - 11)
    assert.strictEqual(BatchText.tokensAfter(unit("a.ts"), inner), 50 - 7)
    assert.strictEqual(BatchText.tokensAfter(unit("a.ts", { around: [entryOf("a.ts", "Other")] }), inner), 50 - 7)
    assert.strictEqual(BatchText.tokensAfter(unit("a.ts", { around: [outer, outer] }), inner), 50 - 7)
    const owned = (container: string) =>
      unit("a.ts", { node: { ...inner.node, entry: entryOf("a.ts", "go", container) } })
    assert.strictEqual(BatchText.tokensAfter(owned("Box"), owned("Box")), 50 - 7 - 11)
    assert.strictEqual(BatchText.tokensAfter(owned("Box"), owned("Crate")), 50 - 7)
  })
})
