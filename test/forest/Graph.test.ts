import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Graph from "../../src/forest/Graph.ts"
import type { Node } from "../../src/forest/Node.ts"
import { node, root } from "../cli/loom/nodes.ts"

const drawn = (rows: ReadonlyArray<Graph.Row>) => rows.map(({ lines, place }) => `${lines}${place?.id ?? ""}`)

/** a ─ b ─┬─ c ─ d, b ─ e ─┬─ f, e ─ g, b ─ h */
const branching = [
  node("a", "r"),
  node("b", "a"),
  node("c", "b"),
  node("e", "b"),
  node("h", "b"),
  node("d", "c"),
  node("f", "e"),
  node("g", "e"),
]

describe("Graph.graph", () => {
  it("draws a straight line without a fork", () => {
    assert.deepStrictEqual(drawn(Graph.graph(root, [node("a", "r"), node("b", "a")])), ["* r", "* a", "* b"])
  })

  it("forks older branches off to the right, and goes on with the newest", () => {
    assert.deepStrictEqual(drawn(Graph.graph(root, branching)), [
      "* r",
      "* a",
      "* b",
      "|\\",
      "| * c",
      "| * d",
      "|\\",
      "| * e",
      "| |\\",
      "| | * f",
      "| * g",
      "* h",
    ])
  })

  it("draws ten thousand branches, and a path of ten thousand", () => {
    const wide = Array.from({ length: 10_000 }, (_, at) => node(`w${at}`, "r"))
    assert.lengthOf(Graph.graph(root, wide), 1 + 10_000 + 9_999)
    const deep = Array.from({ length: 10_000 }, (_, at) => node(`d${at}`, at === 0 ? "r" : `d${at - 1}`))
    assert.lengthOf(Graph.graph(root, deep), 10_001)
  })

  it.prop(
    "shows every place once, after its parent",
    [FastCheck.array(FastCheck.nat(), { maxLength: 30 })],
    ([parents]) => {
      const nodes: Array<Node> = []
      for (const [at, parent] of parents.entries()) {
        nodes.push(node(`n${at}`, at === 0 ? "r" : (nodes[parent % at]?.id ?? "r")))
      }
      for (const draw of [Graph.graph, Graph.outline]) {
        const shown = draw(root, nodes).flatMap(({ place }) => place ?? [])
        const ids = (places: ReadonlyArray<{ readonly id: string }>) => places.map(({ id }) => id).sort()
        assert.deepStrictEqual(ids(shown), ids([root, ...nodes]))
        for (const place of shown) {
          if ("parent" in place) {
            const above = shown.findIndex(({ id }) => id === place.parent)
            assert.isTrue(above !== -1 && above < shown.indexOf(place))
          }
        }
      }
    },
  )
})

describe("Graph.outline", () => {
  it("keeps what follows without a choice in line, and indents what branches", () => {
    assert.deepStrictEqual(drawn(Graph.outline(root, branching)), [
      "r",
      "a",
      "b",
      "├─ c",
      "│  d",
      "├─ e",
      "│  ├─ f",
      "│  └─ g",
      "└─ h",
    ])
  })
})
