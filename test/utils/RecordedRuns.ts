/** Runs of the agent loop with arbitrary scripts, and the events that they report. */
import { assert } from "@effect/vitest"
import { Effect, FastCheck, Fiber, Schema, Stream, TestClock } from "effect"
import { fromTurnEvent, type GenerateEvent } from "../../src/agent/GenerateEvent.ts"
import type { GenerateOptions } from "../../src/agent/GenerateOptions.ts"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as Spending from "../../src/agent/Spending.ts"
import type { TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type { Node } from "../../src/forest/Node.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as Cost from "../../src/model/Cost.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ContextOverflow, ModelError, Overloaded, Unauthorized } from "../../src/model/ModelError.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { root, withScript } from "./Looms.ts"

export const failure = (reason: ModelError["reason"]) => new ModelError({ model: "scripted/test", reason })

export const tool = (name: string, readOnly: boolean) =>
  Tool.make({
    name,
    description: "Waits, and returns its name.",
    parameters: Schema.Struct({ milliseconds: Schema.Number }),
    readOnly,
    run: ({ milliseconds }) => Effect.as(Effect.sleep(milliseconds), name),
  })

export const tools = ToolRegistry.make([tool("look", true), tool("write", false)])

export const calls = FastCheck.array(
  FastCheck.tuple(FastCheck.constantFrom("look", "write", "unknown"), FastCheck.integer({ min: 0, max: 3 })),
  { minLength: 1, maxLength: 4 },
).map((calls) => Scripted.calls(...calls.map(([name, milliseconds]) => [name, { milliseconds }] as const)))

export const usage = FastCheck.integer({ min: 0, max: 1000 }).map((inputTokens) => ({
  ...Usage.none,
  inputTokens,
  outputTokens: 7,
}))

/** A reply, or an attempt that fails. */
export const line: FastCheck.Arbitrary<Scripted.Line> = FastCheck.oneof(
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

export const scripts = FastCheck.array(line, { maxLength: 6 })

/** More events than any of the runs has. */
export const ALL = 1000

export const price = { input: 3, output: 15 }

/** A sink that records events, and fails where a second one comes before it has handled the first. */
export const recorder = () => {
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

/**
 * Runs a script, and stops after `most` specified events; all events that were received,
 * and all nodes that were stored.
 */
export const record = (script: ReadonlyArray<Scripted.Line>, most: number, options: GenerateOptions = {}) =>
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

export const specifiedOf = (events: ReadonlyArray<TurnEvent>): ReadonlyArray<GenerateEvent> =>
  events.flatMap((event) => fromTurnEvent(event) ?? [])

export const nodesOf = (events: ReadonlyArray<TurnEvent>): ReadonlyArray<Node> =>
  events.flatMap((event) => (event._tag === "NodeStored" ? [event.node] : []))

/** The cost of a conversation by its nodes. */
export const spendingOf = (nodes: ReadonlyArray<Node>): Spending.Spending =>
  nodes.reduce(
    (sum, { source }) =>
      source.type === "model" ? Spending.add(sum, { usage: source.usage, cost: Cost.of(source.usage, price) }) : sum,
    Spending.zero,
  )
