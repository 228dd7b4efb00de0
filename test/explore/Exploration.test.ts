import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Exploration from "../../src/explore/Exploration.ts"
import { IndexEvent } from "../../src/explore/IndexEvent.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import * as Block from "../../src/message/Block.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import { BudgetReached, ModelError, RateLimited } from "../../src/model/ModelError.ts"
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

  const busy = new ModelError({ model: "test/model", reason: new RateLimited({ message: "busy" }) })

  it("reports retries, another model and a history that was cut, each with its reason", () => {
    const delay = Duration.seconds(2)
    const { exploration, reported } = run(
      TurnEvent.RetryScheduled({ attempt: 2, delay, error: busy, restarted: false }),
      TurnEvent.ModelReplaced({ by: new ModelId({ provider: "test", name: "other" }), error: busy }),
      TurnEvent.HistoryCompacted({ leftOut: 3, error: busy }),
      TurnEvent.SummaryRequested({ messages: 4 }),
    )
    assert.deepStrictEqual(exploration, Exploration.start(model))
    assert.deepStrictEqual(reported, [
      IndexEvent.Retrying({ attempt: 2, delay, reason: busy.message }),
      IndexEvent.Replaced({ by: "test/other", reason: busy.message }),
      IndexEvent.Compacted({ leftOut: 3, reason: busy.message }),
    ])
  })

  it("counts no request that the budget of the run does not allow, and any other that fails", () => {
    const budget = new ModelError({ model: "test/model", reason: new BudgetReached({ message: "enough" }) })
    assert.strictEqual(run(asked, asked, TurnEvent.RunFailed({ error: busy })).exploration.iterations, 2)
    const { exploration, reported } = run(asked, asked, TurnEvent.RunFailed({ error: budget }))
    assert.strictEqual(exploration.iterations, 1)
    assert.lengthOf(reported, 2)
  })

  it("says which batch a call is of, and nothing of the look around", () => {
    const ofBranch = (branch: number) => {
      const events = [received, stored, ...started.slice(0, 1), finished(slow)].reduce<{
        readonly exploration: Exploration.Exploration
        readonly reported: ReadonlyArray<IndexEvent>
      }>(
        ({ exploration, reported }, event) => {
          const [next, follows] = Exploration.step(exploration, event, 20, branch)
          return { exploration: next, reported: [...reported, ...follows] }
        },
        { exploration: Exploration.start(model), reported: [] },
      )
      return events.reported
    }
    const [answered, ...called] = ofBranch(7)
    assert.deepStrictEqual(answered, IndexEvent.Answered({ text: "", total: usage, cost: 0.25 }))
    assert.deepStrictEqual(called, [
      ...calls.map(({ name }) => IndexEvent.ToolCalled({ name, parameters: {}, batch: 7 })),
      IndexEvent.ToolStarted({ name: "slow", parameters: {}, batch: 7 }),
      IndexEvent.ToolFinished({ name: "slow", text: "the result of slow", isError: false, batch: 7 }),
    ])
    for (const event of ofBranch(0)) assert.notProperty(event, "batch")
  })

  it("says which request it is of how many, and stores inputs without a word", () => {
    const first = run(asked, { ...stored, kind: "input" })
    assert.deepStrictEqual(first.reported, [IndexEvent.Asked({ iteration: 1, limit: 20 })])
    assert.strictEqual(first.exploration.toolCalls, 0)
    const turn = [received, stored, ...calls.map(finished)]
    assert.deepStrictEqual(run(...turn, asked).reported.slice(-2), [
      IndexEvent.ResultsSent({ count: 3 }),
      IndexEvent.Asked({ iteration: 1, limit: 20 }),
    ])
  })

  it("reports each result once", () => {
    const { reported } = run(asked, received, stored, finished(slow), finished(unknown), finished(quick))
    assert.lengthOf(
      reported.filter((event) => event._tag === "ToolFinished"),
      3,
    )
  })
})

describe("Exploration.startNext", () => {
  it("begins a further exploration, and counts the requests of those before", () => {
    const next = Exploration.startNext(run(asked, asked).exploration)
    assert.deepInclude(next, { explorations: 2, iterations: 0, earlierIterations: 2 })
    const [third] = Exploration.step(next, asked, 20)
    assert.strictEqual(Exploration.allIterations(third), 3)
    assert.deepInclude(Exploration.startNext(third), { explorations: 3, earlierIterations: 3 })
  })
})
