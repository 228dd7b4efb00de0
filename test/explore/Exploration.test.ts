import { assert, describe, it } from "@effect/vitest"
import { TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Exploration from "../../src/explore/Exploration.ts"
import type { IndexEvent } from "../../src/explore/IndexEvent.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as ToolResult from "../../src/tool/ToolResult.ts"

const model = new ModelId({ provider: "test", name: "model" })

const [slow, unknown, quick] = [
  Block.toolUse("1", "slow", {}),
  Block.toolUse("2", "unknown", {}),
  Block.toolUse("3", "quick", {}),
] as const

const calls = [slow, unknown, quick]

const usage = { ...Usage.none, inputTokens: 10, outputTokens: 5 }

const asked = TurnEvent.RequestSent({ request: { system: "", messages: [], tools: [] } })

const received = TurnEvent.ReplyReceived({
  reply: { blocks: [slow, unknown, quick], finish: "tool_calls", usage, model },
  cost: 0.25,
})

const stored = TurnEvent.NodeStored({
  kind: "reply",
  node: {
    id: NodeId.make("n"),
    root: NodeId.make("r"),
    parent: NodeId.make("r"),
    message: { role: "assistant", content: [slow, unknown, quick] },
    source: { type: "model", model: String(model), finish: "tool_calls", usage },
    createdAt: 0,
  },
})

const started = calls.map((call) => TurnEvent.ToolStarted({ call }))

const finished = (call: Block.ToolUse) =>
  TurnEvent.ToolFinished({ call, result: ToolResult.text(`the result of ${call.name}`) })

const run = (...events: ReadonlyArray<TurnEvent>) => {
  let exploration = Exploration.start(model)
  const reported: Array<IndexEvent> = []
  for (const event of events) {
    const [next, follows] = Exploration.step(exploration, event, 20)
    exploration = next
    reported.push(...follows)
  }
  return { exploration, reported }
}

describe("Exploration.step", () => {
  it("reports results in the order of their calls, however the calls end", () => {
    const { reported } = run(asked, received, stored, ...started, finished(unknown), finished(quick), finished(slow))
    assert.deepStrictEqual(
      reported.flatMap((event) => IndexObserver.lines(event, true)).slice(-3),
      ["slow", "unknown", "quick"].map((name) => `🛠️ Tool <= Result of ${name}: the result of ${name}`),
    )
  })

  it("reports a result as soon as those of earlier calls are reported", () => {
    const { reported } = run(asked, received, stored, ...started, finished(slow), finished(quick))
    assert.deepStrictEqual(
      reported.flatMap((event) => (event._tag === "ToolFinished" ? [event.name] : [])),
      ["slow"],
    )
  })

  it("counts iterations, calls, tokens and cost", () => {
    const turn = [asked, received, stored, ...calls.map(finished)]
    const { exploration, reported } = run(...turn, ...turn)
    assert.deepInclude(exploration, {
      iterations: 2,
      toolCalls: 6,
      spending: { usage: Usage.add(usage, usage), cost: 0.5 },
    })
    assert.deepStrictEqual(
      reported.flatMap((event) => (event._tag === "ResultsSent" ? [event.count] : [])),
      [3],
    )
  })
})
