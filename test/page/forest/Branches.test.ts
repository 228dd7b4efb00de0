import { assert, describe, it } from "vitest"
import { NodeId } from "../../../src/message/NodeId.ts"
import type { Forest } from "../../../src/page/Client.ts"
import { type Branch, type Requests, read, toLanes } from "../../../src/page/forest/Branches.ts"

type Row = Forest.Row

/** A forest by the children of each node. */
const forestOf = (children: Readonly<Record<string, ReadonlyArray<string>>>) => {
  const row = (id: string): Row => ({
    id: NodeId.make(id),
    parent: NodeId.make("root"),
    kind: "user",
    text: `Words of ${id}`,
    at: 0,
    children: children[id]?.length ?? 0,
    bookmarks: [],
  })
  let asked = 0
  const requests: Requests = {
    run: async (of) => {
      asked++
      const rows: Array<Row> = []
      for (let at = children[of] ?? []; at.length === 1; at = children[at[0] ?? ""] ?? []) rows.push(row(at[0] ?? ""))
      return rows
    },
    children: async (of) => {
      asked++
      return (children[of] ?? []).map(row)
    },
  }
  return { row, requests, asked: () => asked }
}

const outline = ({ ids, parts }: Branch): unknown => (parts.length === 0 ? ids : [ids, ...parts.map(outline)])

describe("the branches of a conversation", () => {
  it("are runs of messages, each up to where it parts", async () => {
    const { requests, row } = forestOf({ a: ["b"], b: ["c", "d"], d: ["e"], e: ["f", "g"] })
    const found = await read(row("a"), requests)
    assert.deepStrictEqual(outline(found), [["a", "b"], ["c"], [["d", "e"], ["f"], ["g"]]])
    assert.isFalse(found.isCut)
  })

  it("are placed each in a row, a lane beside the one that it parts from, with the way to the chosen message", async () => {
    const { requests, row } = forestOf({ a: ["b"], b: ["c", "d"], d: ["e"], e: ["f", "g"] })
    const lanes = toLanes(await read(row("a"), requests), "g")
    assert.deepStrictEqual(
      lanes.map(({ branch, from, isHere, isOnPath, lane }) => [branch.first.id, lane, from, isOnPath, isHere]),
      [
        ["a", 0, undefined, true, false],
        ["c", 1, 0, false, false],
        ["d", 1, 0, true, false],
        ["f", 2, 2, false, false],
        ["g", 2, 2, true, true],
      ],
    )
  })

  it("are as many as one can read, and what is left out is counted", async () => {
    const wide = Array.from({ length: 20 }, (_, n) => `c${n}`)
    const { requests, row } = forestOf({ a: wide })
    const found = await read(row("a"), requests)
    assert.lengthOf(found.parts, 8)
    assert.strictEqual(found.more, 12)
  })

  it("take a number of requests that does not grow with the conversation", async () => {
    const deep: Record<string, ReadonlyArray<string>> = {}
    for (let n = 0; n < 1000; n++) deep[`n${n}`] = [`n${n + 1}`, `x${n}`]
    const { asked, requests, row } = forestOf(deep)
    const found = await read(row("n0"), requests)
    assert.isAtMost(asked(), 80)
    assert.isAtMost(toLanes(found, undefined).length, 41)
  })
})
