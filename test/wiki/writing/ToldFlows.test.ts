import { assert, describe, it } from "@effect/vitest"
import type { Flow } from "../../../src/wiki/Plan.ts"
import type { Call } from "../../../src/wiki/writing/FlowRequest.ts"
import * as ToldFlows from "../../../src/wiki/writing/ToldFlows.ts"

const call = (depth: number, path: string): Call => ({
  depth,
  item: { path, entry: undefined, ordinal: 0 },
  line: depth === 0 ? undefined : 3,
  mark: undefined,
})

/** A flow by its calls, each written as deep as it is indented. */
const flow = (name: string, ...calls: ReadonlyArray<string>): { flow: Flow; calls: ReadonlyArray<Call> } => ({
  flow: { name, title: `What ${name} does`, start: { path: calls[0] ?? "" } },
  calls: calls.map((text) => call((text.length - text.trimStart().length) / 2, text.trim())),
})

const divide = (...flows: ReadonlyArray<{ flow: Flow; calls: ReadonlyArray<Call> }>) =>
  ToldFlows.divide(flows).map(({ calls, flow, others }) => ({
    name: flow.name,
    calls: calls.map(
      ({ depth, item, mark }) => `${"  ".repeat(depth)}${item.path}${mark === undefined ? "" : ` <${mark}>`}`,
    ),
    others: others.map(({ name }) => name),
  }))

describe("ToldFlows.divide", () => {
  it("leaves flows as they are that share no call", () => {
    const [one, other] = divide(flow("a", "a", "  b"), flow("c", "c", "  d"))
    assert.deepStrictEqual(one, { name: "a", calls: ["a", "  b"], others: [] })
    assert.deepStrictEqual(other, { name: "c", calls: ["c", "  d"], others: [] })
  })

  it("ends a flow where another one begins, whichever comes first", () => {
    const outer = flow("start", "start", "  read", "  load", "    open", "  show")
    const inner = flow("load", "load", "  open")
    const expected = ["start", "  read", '  load <what it does is told in "What load does">', "  show"]
    for (const found of [divide(outer, inner), divide(inner, outer)]) {
      assert.deepStrictEqual(found.find(({ name }) => name === "start")?.calls, expected)
      assert.deepStrictEqual(found.find(({ name }) => name === "start")?.others, ["load"])
      assert.deepStrictEqual(found.find(({ name }) => name === "load")?.calls, ["load", "  open"])
    }
  })

  it("lets a later flow begin where it leaves the way of an earlier one", () => {
    const [, update] = divide(
      flow("install", "install", "  run", "    queue", "    wait"),
      flow("update", "update", "  run", "    queue", "    wait", "  lock"),
    )
    assert.deepStrictEqual(update?.calls, ["update", '  run <what it does is told in "What install does">', "  lock"])
  })

  it("tells what is far from the start of an earlier flow again, since its page has hardly a step for it", () => {
    const [, other] = divide(
      flow("a", "a", "  b", "    c", "      far", "        deep"),
      flow("x", "x", "  far", "    deep"),
    )
    assert.deepStrictEqual(other?.calls, ["x", "  far", "    deep"])
  })

  it("leaves out a flow that has nothing of its own", () => {
    const found = divide(flow("a", "a", "  run", "    queue"), flow("b", "b", "  run", "    queue"))
    assert.deepStrictEqual(
      found.map(({ name }) => name),
      ["a"],
    )
  })
})
