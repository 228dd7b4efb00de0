import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { step } from "../../../src/page/forest/keys.ts"
import * as Outline from "../../../src/page/forest/Outline.ts"
import { cases } from "../../thoroughness.ts"
import {
  apply,
  at,
  begin,
  changes,
  check,
  childrenOf,
  conversations,
  expected,
  fill,
  gapsOf,
  reveal,
  setOpen,
  shown,
  trees,
  treesOf,
} from "./outlines.ts"

describe("the lines of the forest", () => {
  it("are neither lost nor doubled, whatever is opened, closed, hidden, read or searched for", () => {
    fc.assert(
      fc.property(trees, changes, (all, made) => {
        const state = begin(all)
        check(all, state)
        for (const change of made) {
          apply(all, state, change)
          check(all, state)
        }
      }),
      { numRuns: cases(300) },
    )
  })

  it("are all there once every gap was read, in whatever order", () => {
    fc.assert(
      fc.property(trees, changes, fc.infiniteStream(at), (all, made, choices) => {
        const state = begin(all)
        for (const change of made) apply(all, state, change)
        for (let rounds = 0; ; rounds++) {
          const gaps = gapsOf(state)
          const choice = Number(choices.next().value)
          const gap = gaps[choice % Math.max(1, gaps.length)]
          if (gap === undefined) break
          // Each answer has at least one row of 40 that was not there.
          assert.isAtMost(rounds, 100, "gaps stay")
          fill(all, state, gap, choice % gap.count)
        }
        const lines = Outline.lines(state.outline, state.looks)
        const wanted = state.outline.top.flatMap((id) => expected(all, state.looks, Number(id)))
        assert.deepStrictEqual(lines.items.map(shown), wanted)
        assert.sameMembers([...state.outline.top], conversations(all).map(String))
      }),
      { numRuns: cases(300) },
    )
  })

  it("keep what was found in place when what comes before it is read, also below a branch", () => {
    // A conversation, a run of two, a branch of three, of which the last goes on.
    const all = treesOf([-1, 0, 0, 0, 1, 2, 0, 0])
    assert.deepStrictEqual(childrenOf(all, 2), [3, 4, 5])
    const state = begin(all)
    reveal(all, state, 7)
    assert.deepStrictEqual(Outline.lines(state.outline, state.looks).items.map(shown), [
      "0 at 1",
      "gap",
      "5 at 2",
      "6 at 2",
      "7 at 2",
    ])
    const [earlier] = gapsOf(state)
    fill(all, state, earlier ?? assert.fail("nothing to read"), 0)
    const lines = Outline.lines(state.outline, state.looks)
    assert.isAtLeast(Outline.indexOf(lines, "7"), 0)
    const line = lines.items.find((item) => item.type === "row" && item.row.id === "5")
    assert.strictEqual(line?.type === "row" ? line.position : 0, 3)
  })
})

describe("a key", () => {
  // Two conversations; the first has a question with two answers, of which the first goes on.
  const all = treesOf([-1, 0, 0, 0, 2, -1])
  const state = begin(all)
  for (const id of [4, 3]) reveal(all, state, id)
  setOpen(state, ["2"])
  for (const gap of gapsOf(state)) fill(all, state, gap, 0)
  const lines = Outline.lines(state.outline, state.looks)
  const visited = new Map([["1", "4"]])
  const press = (id: string, key: string) => step(lines, Outline.indexOf(lines, id), key, { page: 2, visited })

  it("moves within the lines, and never beyond them", () => {
    assert.deepStrictEqual(lines.items.map(shown), ["0 at 1", "1 at 2", "2 at 3", "3 at 3", "4 at 3", "5 at 1"])
    for (const [from, key, to] of [
      ["0", "ArrowUp", 0],
      ["0", "ArrowDown", 1],
      ["1", "PageDown", 3],
      ["4", "PageDown", 5],
      ["1", "PageUp", 0],
      ["3", "Home", 0],
      ["3", "End", 5],
      ["5", "ArrowDown", 5],
    ] as const) {
      assert.deepStrictEqual(press(from, key), { type: "move", to })
    }
  })

  it("goes right to the branch that was visited last, and left to where the branch begins, then above it", () => {
    assert.deepStrictEqual(press("1", "ArrowRight"), { type: "move", to: 4 })
    assert.deepStrictEqual(press("3", "ArrowLeft"), { type: "move", to: 2 })
    assert.deepStrictEqual(press("2", "ArrowLeft"), { type: "close", id: "2" })
    assert.deepStrictEqual(press("4", "ArrowLeft"), { type: "move", to: 1 })
  })

  it("does nothing where there is nothing to open, and by other keys", () => {
    assert.isUndefined(press("4", "ArrowRight"))
    assert.isUndefined(press("5", "ArrowLeft"))
    assert.isUndefined(press("0", "x"))
  })
})
