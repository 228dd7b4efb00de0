import { assert, describe, it } from "vitest"
import { NodeId } from "../../../src/message/NodeId.ts"
import { step } from "../../../src/page/forest/keys.ts"
import * as Outline from "../../../src/page/forest/Outline.ts"

const row = (id: string, parent: string, children: number): Outline.Row => ({
  id: NodeId.make(id),
  parent: NodeId.make(parent),
  kind: id === "c" ? "conversation" : "user",
  text: id,
  at: 0,
  children,
  bookmarks: [],
})

/** A conversation with one message, which two branches follow. */
const linesOf = (...open: ReadonlyArray<string>): Outline.Lines => {
  const outline = Outline.empty()
  outline.top = ["c"]
  outline.hasMore = false
  outline.rows.set("c", row("c", "c", 1))
  Outline.addRun(outline, "c", [row("m", "c", 2)])
  Outline.addPart(outline, "m", 0, [row("a", "m", 0), row("b", "m", 0)], 2)
  return Outline.lines(outline, { open: new Set(open), hidden: new Set(), showsHidden: false })
}

const press = (lines: Outline.Lines, id: string, key: string, visited: ReadonlyMap<string, string> = new Map()) =>
  step(lines, Outline.indexOf(lines, id), key, { page: 10, visited })

describe("the keys of the tree", () => {
  it("opens and closes a line before it leaves it", () => {
    assert.deepStrictEqual(press(linesOf(), "c", "ArrowRight"), { type: "open", id: "c" })
    assert.deepStrictEqual(press(linesOf("c"), "m", "ArrowRight"), { type: "open", id: "m" })
    const all = linesOf("c", "m")
    assert.deepStrictEqual(press(all, "m", "ArrowLeft"), { type: "close", id: "m" })
    assert.deepStrictEqual(press(all, "b", "ArrowLeft"), { type: "move", to: Outline.indexOf(all, "m") })
  })

  it("goes to the branch that was visited last, else to the first", () => {
    const all = linesOf("c", "m")
    assert.deepStrictEqual(press(all, "m", "ArrowRight"), { type: "move", to: Outline.indexOf(all, "a") })
    assert.deepStrictEqual(press(all, "m", "ArrowRight", new Map([["m", "b"]])), {
      type: "move",
      to: Outline.indexOf(all, "b"),
    })
  })

  it("goes to the branch that was visited last where that was not read, if it is still there", () => {
    assert.deepStrictEqual(press(linesOf("c", "m"), "m", "ArrowRight", new Map([["m", "z"]])), {
      type: "go",
      id: "z",
      otherwise: 2,
    })
  })

  it("stays between the first and the last line, and leaves other keys alone", () => {
    const all = linesOf("c", "m")
    assert.deepStrictEqual(press(all, "c", "PageUp"), { type: "move", to: 0 })
    assert.deepStrictEqual(press(all, "a", "PageDown"), { type: "move", to: 3 })
    assert.isUndefined(press(all, "a", "x"))
  })
})
