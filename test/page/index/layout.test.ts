import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import type { Index } from "../../../src/page/Client.ts"
import { BOX, layout, next } from "../../../src/page/index/layout.ts"

const nodeOf = (layer: number, id: string): Index.GraphNode => ({
  id,
  path: "src/a.ts",
  line: 1,
  name: id,
  kind: "function",
  layer,
})

const graphs: fc.Arbitrary<Index.Graph> = fc
  .record({
    layers: fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 39 }),
    edges: fc.array(fc.tuple(fc.nat({ max: 50 }), fc.nat({ max: 50 })), { maxLength: 80 }),
    more: fc.uniqueArray(fc.integer({ min: -2, max: 2 })),
  })
  .map(({ edges, layers, more }) => ({
    nodes: [0, ...layers].map((layer, at) => nodeOf(layer, `n${at}`)),
    // Some lead to what is not shown.
    edges: edges.map(([from, to]) => ({ from: `n${from}`, to: `n${to}` })),
    more: more.map((layer) => ({ layer, count: 3 })),
  }))

interface Point {
  readonly x: number
  readonly y: number
}

const areApart = (one: Point, other: Point) =>
  Math.abs(one.x - other.x) >= BOX.width || Math.abs(one.y - other.y) >= BOX.height

describe("the picture of a graph", () => {
  it("has each symbol once, within its size, and none over another", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { height, more, placed, width } = layout(graph)
        assert.sameMembers(
          placed.map(({ node }) => node.id),
          graph.nodes.map(({ id }) => id),
        )
        assert.sameDeepMembers(
          more.map(({ count, layer }) => ({ count, layer })),
          [...graph.more],
        )
        const boxes: ReadonlyArray<Point> = [...placed, ...more]
        for (const [at, box] of boxes.entries()) {
          assert.isAtLeast(Math.min(box.x, box.y), 0)
          assert.isAtMost(box.x + BOX.width, width)
          assert.isAtMost(box.y + BOX.height, height)
          for (const other of boxes.slice(at + 1)) assert.isTrue(areApart(box, other), "one is over another")
        }
      }),
    )
  })

  it("has callers left of what they call, and the lines between symbols that are shown, no others", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { edges, placed } = layout(graph)
        for (const one of placed) {
          for (const other of placed) assert.strictEqual(one.node.layer < other.node.layer, one.x < other.x)
        }
        const shown = new Set(graph.nodes.map(({ id }) => id))
        assert.deepStrictEqual(
          edges.map(({ from, to }) => ({ from: from.node.id, to: to.node.id })),
          graph.edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
        )
      }),
    )
  })

  it("puts what is called in the order of its callers, so that lines do not cross", () => {
    const { placed } = layout({
      nodes: [nodeOf(0, "c"), nodeOf(1, "a"), nodeOf(1, "b"), nodeOf(2, "of b"), nodeOf(2, "of a")],
      edges: [
        { from: "c", to: "a" },
        { from: "c", to: "b" },
        { from: "b", to: "of b" },
        { from: "a", to: "of a" },
      ],
      more: [],
    })
    const y = (id: string) => placed.find(({ node }) => node.id === id)?.y ?? Number.NaN
    assert.strictEqual(y("a") < y("b"), y("of a") < y("of b"))
  })

  it("is gone through by arrows in the direction that they point, to every symbol and back", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const all = layout(graph)
        const placeOf = new Map(all.placed.map((each) => [each.node.id, each]))
        const signs = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const
        const seen = new Set(["n0"])
        // A set goes on with what is added to it.
        for (const id of seen) {
          for (const [key, [across, down]] of Object.entries(signs)) {
            const to = placeOf.get(next(all, id, key) ?? "")
            const from = placeOf.get(id)
            if (to === undefined || from === undefined) continue
            seen.add(to.node.id)
            if (across !== 0) assert.strictEqual(Math.sign(to.x - from.x), across)
            else assert.deepStrictEqual([Math.sign(to.y - from.y), to.x], [down, from.x])
          }
        }
        assert.strictEqual(seen.size, graph.nodes.length)
        assert.isUndefined(next(all, "n0", "x"))
        assert.isUndefined(next(all, "unknown", "ArrowLeft"))
      }),
    )
  })
})
