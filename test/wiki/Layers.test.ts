import { assert, describe, it } from "@effect/vitest"
import * as Layers from "../../src/wiki/Layers.ts"

const use = (from: string, to: string, count = 1) => ({ from, to, count })

describe("Layers.of", () => {
  it("puts each part above all that it uses", () => {
    const uses = [use("cli", "loader"), use("loader", "parser"), use("cli", "text"), use("parser", "text")]
    assert.deepStrictEqual(Layers.of(["text", "parser", "cli", "loader"], uses), {
      layers: [["cli"], ["loader"], ["parser"], ["text"]],
      upward: [],
    })
  })

  it("gives a layer to all parts that need not stand below each other, in their order", () => {
    const uses = [use("cli", "loader"), use("cli", "parser"), use("loader", "text"), use("parser", "text")]
    assert.deepStrictEqual(Layers.of(["parser", "loader", "cli", "text"], uses).layers, [
      ["cli"],
      ["parser", "loader"],
      ["text"],
    ])
  })

  it("breaks a cycle where the fewest uses lead upwards, and says which do", () => {
    const uses = [use("compiler", "nodes", 297), use("nodes", "compiler", 1), use("compiler", "text", 5)]
    assert.deepStrictEqual(Layers.of(["nodes", "text", "compiler"], uses), {
      layers: [["compiler"], ["nodes", "text"]],
      upward: [use("nodes", "compiler", 1)],
    })
  })

  it("leaves out parts that neither use nor are used", () => {
    assert.deepStrictEqual(Layers.of(["a", "alone", "b"], [use("a", "b")]).layers, [["a"], ["b"]])
    assert.deepStrictEqual(Layers.of(["alone"], []), { layers: [], upward: [] })
  })
})
