import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, FastCheck, Fiber, Schema, Stream, TestClock } from "effect"
import { fromTurnEvent, type GenerateEvent } from "../../src/agent/GenerateEvent.ts"
import type { GenerateOptions } from "../../src/agent/GenerateOptions.ts"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as Spending from "../../src/agent/Spending.ts"
import { type NodeKind, replyText, TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type { Node } from "../../src/forest/Node.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as Cost from "../../src/model/Cost.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ContextOverflow, ModelError, Overloaded, Unauthorized } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { cases } from "../thoroughness.ts"
import { root, withScript } from "../utils/Looms.ts"

const failure = (reason: ModelError["reason"]) => new ModelError({ model: "scripted/test", reason })

const tool = (name: string, readOnly: boolean) =>
  Tool.make({
    name,
    description: "Waits, and returns its name.",
    parameters: Schema.Struct({ milliseconds: Schema.Number }),
    readOnly,
    run: ({ milliseconds }) => Effect.as(Effect.sleep(milliseconds), name),
  })

const tools = ToolRegistry.make([tool("look", true), tool("write", false)])

const calls = FastCheck.array(
  FastCheck.tuple(FastCheck.constantFrom("look", "write", "unknown"), FastCheck.integer({ min: 0, max: 3 })),
  { minLength: 1, maxLength: 4 },
).map((calls) => Scripted.calls(...calls.map(([name, milliseconds]) => [name, { milliseconds }] as const)))

const usage = FastCheck.integer({ min: 0, max: 1000 }).map((inputTokens) => ({
  ...Usage.none,
  inputTokens,
  outputTokens: 7,
}))

/** A reply, or an attempt that fails. */
const line: FastCheck.Arbitrary<Scripted.Line> = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.tuple(calls, usage).map(([turn, usage]) => ({ ...turn, text: "I look.", usage })) },
  { weight: 2, arbitrary: usage.map((usage) => ({ text: "Done.", usage })) },
  {
    weight: 1,
    arbitrary: FastCheck.constantFrom(
      failure(new Overloaded({ message: "busy" })),
      failure(new Unauthorized({ message: "no key" })),
      failure(new ContextOverflow({ message: "too long" })),
    ),
  },
)

const scripts = FastCheck.array(line, { maxLength: 6 })

/** More events than any of the runs has. */
const ALL = 1000

const price = { input: 3, output: 15 }

/** A sink that records events, and fails where a second one comes before it has handled the first. */
const recorder = () => {
  const events: Array<TurnEvent> = []
  let isBusy = false
  const onEvent = (event: TurnEvent) =>
    Effect.gen(function* () {
      assert.isFalse(isBusy, "two events at a time")
      isBusy = true
      yield* Effect.yieldNow()
      events.push(event)
      isBusy = false
    })
  return { events, onEvent }
}

/** Runs a script, and stops after `most` specified events; all events that were received, and all nodes that were stored. */
const record = (script: ReadonlyArray<Scripted.Line>, most: number, options: GenerateOptions = {}) =>
  Effect.gen(function* () {
    const engine = yield* LoomEngine.LoomEngine
    const forest = yield* Forest.Forest
    const { id } = yield* root
    const model: LanguageModel.Service = { ...(yield* Scripted.make(script)), price }
    const { events, onEvent } = recorder()
    const run = engine.generateStream(id, { text: "Go", tools, model, keepUnfinished: true, ...options, onEvent })
    const fiber = yield* Effect.fork(Stream.runCollect(Stream.take(run, most)))
    yield* TestClock.adjust("1 hour")
    const specified = Array.from(yield* Fiber.join(fiber))
    return { events, specified, stored: yield* forest.subtree(id) }
  }).pipe(withScript([]))

const specifiedOf = (events: ReadonlyArray<TurnEvent>): ReadonlyArray<GenerateEvent> =>
  events.flatMap((event) => fromTurnEvent(event) ?? [])

const nodesOf = (events: ReadonlyArray<TurnEvent>): ReadonlyArray<Node> =>
  events.flatMap((event) => (event._tag === "NodeStored" ? [event.node] : []))

/** The cost of a conversation by its nodes. */
const spendingOf = (nodes: ReadonlyArray<Node>): Spending.Spending =>
  nodes.reduce(
    (sum, { source }) =>
      source.type === "model" ? Spending.add(sum, { usage: source.usage, cost: Cost.of(source.usage, price) }) : sum,
    Spending.zero,
  )

describe("TurnEvent: laws", () => {
  it.effect.prop(
    "the specified events are a function of the events, and every stored node is reported",
    [scripts],
    ([script]) =>
      Effect.gen(function* () {
        const { events, specified, stored } = yield* record(script, ALL)
        assert.deepStrictEqual(specified, specifiedOf(events))
        assert.include(["done", "error"], specified.at(-1)?.type)
        assert.sameDeepMembers([...nodesOf(events)], [...stored])
      }),
    { fastCheck: { numRuns: cases(30) } },
  )

  it.effect.prop(
    "a consumer that stops has received a prefix of them, and every stored node is reported all the same",
    [scripts, FastCheck.integer({ min: 1, max: 12 })],
    ([script, most]) =>
      Effect.gen(function* () {
        const { events, specified, stored } = yield* record(script, most)
        assert.deepStrictEqual(specified, specifiedOf(events).slice(0, specified.length))
        assert.sameDeepMembers([...nodesOf(events)], [...stored])
      }),
    { fastCheck: { numRuns: cases(30) } },
  )

  it.effect.prop(
    "tokens and cost are the sum over the stored nodes",
    [scripts],
    ([script]) =>
      Effect.gen(function* () {
        const { events, stored } = yield* record(script, ALL)
        assert.deepStrictEqual(events.reduce(Spending.step, Spending.zero), spendingOf(stored))
      }),
    { fastCheck: { numRuns: cases(30) } },
  )
})

describe("LoomEngine.generateSeveral", () => {
  it.effect("reports the events of all runs, one at a time, and the user's message once", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const forest = yield* Forest.Forest
      const { id } = yield* root
      const models = yield* Effect.forEach(["a", "b", "c"], (name) => Scripted.make([name], name))
      const { events, onEvent } = recorder()
      yield* Stream.runDrain(engine.generateSeveral(id, models, { text: "Go", onEvent }))
      assert.lengthOf(nodesOf(events), 4)
      assert.sameDeepMembers([...nodesOf(events)], [...(yield* forest.subtree(id))])
    }).pipe(withScript([])),
  )
})

describe("TurnEvent.NodeStored", () => {
  const kinds = (events: ReadonlyArray<TurnEvent>): ReadonlyArray<NodeKind> =>
    events.flatMap((event) => (event._tag === "NodeStored" ? [event.kind] : []))

  it.effect("says what each node is", () =>
    Effect.gen(function* () {
      const { events } = yield* record([Scripted.calls(["look", { milliseconds: 1 }]), "Done."], 100)
      assert.deepStrictEqual(kinds(events), ["input", "reply", "result", "reply"])
    }),
  )

  it.effect("is `unfinished` for the text of a reply if its consumer has stopped", () =>
    Effect.gen(function* () {
      const { events } = yield* record(["Half of it"], 2)
      assert.deepStrictEqual(kinds(events), ["input", "unfinished"])
    }),
  )

  it.effect("is `repair` for the result of a call that an earlier run left open", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const { id } = yield* root
      const [, reply] = yield* forest.append(id, [
        { message: { role: "user", content: [{ type: "text", text: "Go" }] }, source: { type: "user" } },
        {
          message: { role: "assistant", content: [{ type: "tool-use", id: "c", name: "look", parameters: {} }] },
          source: { type: "model", model: "scripted/test", finish: "tool_calls", usage: Usage.none },
        },
      ])
      const events: Array<TurnEvent> = []
      const onEvent = (event: TurnEvent) => Effect.sync(() => void events.push(event))
      yield* engine.generate(reply?.id ?? id, { onEvent })
      assert.deepStrictEqual(kinds(events), ["repair", "reply"])
    }).pipe(withScript(["Done."])),
  )
})

describe("TurnEvent.replyText", () => {
  const part = (part: Part) => TurnEvent.PartReceived({ part })
  const text = (text: string) => part(Part.Text({ text }))
  const fold = (...events: ReadonlyArray<TurnEvent>) => events.reduce(replyText, "")
  const retry = (restarted: boolean) =>
    TurnEvent.RetryScheduled({
      attempt: 1,
      delay: Duration.seconds(2),
      error: failure(new Overloaded({ message: "busy" })),
      restarted,
    })

  it("is the text of the parts, without thoughts, images and calls", () => {
    assert.strictEqual(
      fold(
        part(Part.Thinking({ text: "Hm." })),
        text("Half "),
        part(Part.Image({ media_type: "image/png", data: "AAAA" })),
        part(Part.Text({ text: "of it", meta: { google: { thoughtSignature: "s" } } })),
        part(Part.ToolUse({ name: "look", parameters: {} })),
      ),
      "Half of it",
    )
  })

  it("begins anew with each request, and where the reply begins anew", () => {
    const request = { system: "", messages: [], tools: [] }
    const overflow = failure(new ContextOverflow({ message: "too long" }))
    for (const event of [
      TurnEvent.RequestSent({ request }),
      TurnEvent.HistoryCompacted({ leftOut: 1, error: overflow }),
      retry(true),
    ]) {
      assert.strictEqual(fold(text("old"), event, text("new")), "new")
    }
    assert.strictEqual(fold(text("the "), retry(false), text("same")), "the same")
  })

  it.effect("is empty once the reply is stored", () =>
    Effect.gen(function* () {
      const { events } = yield* record(["Done."], 100)
      assert.strictEqual(fold(...events), "")
      assert.strictEqual(
        fold(
          ...events.slice(
            0,
            events.findIndex(({ _tag }) => _tag === "ReplyReceived"),
          ),
        ),
        "Done.",
      )
    }),
  )
})
