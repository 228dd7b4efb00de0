import { assert, describe, it } from "@effect/vitest"
import * as SymbolTree from "../../../src/explore/internal/SymbolTree.ts"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"

const entry = (name: string, startLine: number, endLine: number, container?: string) =>
  new IndexEntry({
    path: "a.ts",
    name,
    kind: "function",
    signature: name,
    startLine,
    endLine,
    hash: name,
    exported: true,
    isMajor: true,
    usedBy: 0,
    ...(container !== undefined && { container }),
  })

/** A tree as text: `a(b c)`, with `*` behind symbols whose marks have their names. */
const write = (nodes: ReadonlyArray<SymbolTree.SymbolNode>): string =>
  nodes
    .map((node) => {
      const name = `${node.entry.name}${node.isNamed ? "*" : ""}`
      return node.children.length === 0 ? name : `${name}(${write(node.children)})`
    })
    .join(" ")

const nest = (entries: ReadonlyArray<IndexEntry>, isOpen = (_: IndexEntry) => true) => SymbolTree.nest(entries, isOpen)

describe("SymbolTree.nest", () => {
  it.each<readonly [what: string, entries: ReadonlyArray<IndexEntry>, tree: string]>([
    ["nothing", [], ""],
    ["symbols beside each other", [entry("a", 1, 2), entry("b", 3, 4)], "a b"],
    ["symbols in others, whatever their order", [entry("c", 3, 3), entry("a", 1, 9), entry("b", 2, 4)], "a(b(c))"],
    [
      "symbols behind the end of another",
      [entry("a", 1, 4), entry("b", 2, 3), entry("c", 4, 4), entry("d", 5, 6)],
      "a(b c) d",
    ],
    ["a symbol that is only partly in another", [entry("a", 1, 4), entry("b", 3, 6)], "a b"],
    ["symbols that begin together", [entry("b", 1, 3), entry("a", 1, 5)], "a*(b*)"],
    ["symbols that end together", [entry("a", 1, 5), entry("b", 2, 5)], "a(b)"],
    ["symbols on the same lines", [entry("a", 1, 2), entry("b", 1, 2)], "a* b*"],
    ["a member on the lines of its container", [entry("a", 1, 2), entry("b", 1, 2, "a")], "a*(b*)"],
  ])("nests %s", (_, entries, tree) => {
    assert.strictEqual(write(nest(entries)), tree)
  })

  it("names marks of open symbols that begin on one line, of which more than one is open", () => {
    const entries = [entry("a", 1, 1), entry("b", 1, 1)]
    assert.strictEqual(write(nest(entries, ({ name }) => name === "a")), "a b")
    assert.deepStrictEqual(
      nest(entries, ({ name }) => name === "a").map(({ isOpen }) => isOpen),
      [true, false],
    )
  })

  it("is twenty symbols deep at most", () => {
    const depthOf = (count: number) =>
      write(nest(Array.from({ length: count }, (_, n) => entry("a", 1 + n, 100 - n)))).split("(").length
    assert.strictEqual(depthOf(21), 21)
    assert.strictEqual(depthOf(23), 21)
  })
})

describe("SymbolTree.openIn", () => {
  it("has the open symbols of a tree in their order, without those that are not", () => {
    const [top] = nest(
      [entry("a", 1, 9), entry("b", 2, 5), entry("c", 3, 3), entry("d", 6, 7)],
      ({ name }) => name !== "b",
    )
    const names = (node: SymbolTree.SymbolNode) => SymbolTree.openIn(node).map(({ name }) => name)
    assert.deepStrictEqual(top && names(top), ["a", "c", "d"])
    assert.deepStrictEqual(top?.children.map(names), [["c"], ["d"]])
  })
})
