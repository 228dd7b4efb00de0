import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Ref, Schema, Scope, Stream, TestClock } from "effect"
import type { GenerateEvent } from "../../src/agent/GenerateEvent.ts"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import type { TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type { ForestError } from "../../src/forest/ForestError.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import * as History from "../../src/model/History.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { isThorough } from "../thoroughness.ts"
import { interruptAfter } from "../utils/interruptAfter.ts"
import { assertWhole, echo, finalError, finalNode, stored, throwing, tools } from "../utils/LoomRuns.ts"
import { events, layerOf, root, types, withScript } from "../utils/Looms.ts"

describe("LoomEngine with a `ToolRegistry`", () => {
  const withTools = (script: Scripted.Script) =>
    Effect.provide(layerOf(Scripted.layer(script)).pipe(Layer.provide(ToolRegistry.layer([echo]))))

  it.effect("offers its tools to a run that is passed none", () =>
    Effect.gen(function* () {
      const path = yield* events({ text: "Go" })
      const [said, result] = yield* stored(finalNode(path).id).pipe(
        Effect.map((messages) => messages.slice(1).map(Message.text)),
      )
      assert.deepStrictEqual([said, result], ["", '{"echo":"hello"}'])
    }).pipe(withTools([Scripted.calls(["echo", { text: "hello" }]), "Done."])),
  )

  it.effect("offers others in their place, and none if several replies are asked for", () =>
    Effect.gen(function* () {
      const offered: Array<ReadonlyArray<string>> = []
      const onEvent = (event: TurnEvent) =>
        Effect.sync(() => {
          if (event._tag === "RequestSent") offered.push(event.request.tools.map(({ name }) => name))
        })
      yield* events({ text: "Go", onEvent })
      yield* events({ text: "Go", onEvent, tools: ToolRegistry.make([throwing]) })
      yield* events({ text: "Go", onEvent, tools: ToolRegistry.none })
      yield* events({ text: "Go", onEvent, n: 2 })
      assert.deepStrictEqual(offered, [["echo"], ["throwing"], [], [], []])
    }).pipe(withTools(["One.", "Two.", "Three.", "Four.", "Five."])),
  )

  it.effect("offers with each request the tools that the registry has by then", () =>
    Effect.gen(function* () {
      const offered: Array<ReadonlyArray<string>> = []
      const onEvent = (event: TurnEvent) =>
        Effect.sync(() => {
          if (event._tag === "RequestSent") offered.push(event.request.tools.map(({ name }) => name))
        })
      let announced = [echo]
      let listed = announced
      const changing = ToolRegistry.changing({
        tools: () => listed,
        refresh: Effect.sync(() => (listed = announced)),
      })
      const unlock = Tool.make({
        name: "unlock",
        description: "Replaces a tool.",
        parameters: Schema.Struct({}),
        run: () =>
          Effect.sync(() => {
            announced = [throwing]
            return "unlocked"
          }),
      })
      yield* events({ text: "Go", onEvent, tools: ToolRegistry.join(ToolRegistry.make([unlock]), changing) })
      assert.deepStrictEqual(offered, [
        ["unlock", "echo"],
        ["unlock", "throwing"],
        ["unlock", "throwing"],
      ])
    }).pipe(withTools([Scripted.calls(["unlock", {}]), Scripted.calls(["throwing", {}]), "Done."])),
  )

  it.effect("has awaited the finalizers of a tool when an interrupt of the run returns", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const isCleanedUp = yield* Ref.make(false)
      const careful = Tool.make({
        name: "careful",
        description: "Cleans up.",
        parameters: Schema.Struct({}),
        run: () =>
          Deferred.succeed(started, undefined).pipe(
            Effect.zipRight(Effect.never),
            Effect.onInterrupt(() => Effect.delay(Ref.set(isCleanedUp, true), "150 millis")),
          ),
      })
      const run = yield* Effect.fork(events({ text: "Go", tools: ToolRegistry.make([careful]) }))
      yield* Deferred.await(started)
      const interrupting = yield* Effect.fork(Fiber.interrupt(run))
      yield* TestClock.adjust("149 millis")
      assert.isNull(interrupting.unsafePoll())
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(interrupting)
      assert.isTrue(yield* Ref.get(isCleanedUp))
    }).pipe(withTools([Scripted.calls(["careful", {}])])),
  )
})

/** Tools that write down when they start and end, and wait for a word in between. */
const gated = Effect.gen(function* () {
  const log = yield* Ref.make<ReadonlyArray<string>>([])
  const gates = { a: yield* Deferred.make<void>(), b: yield* Deferred.make<void>(), w: yield* Deferred.make<void>() }
  const tool = (name: keyof typeof gates, readOnly: boolean) =>
    Tool.make({
      name,
      description: name,
      parameters: Schema.Struct({}),
      readOnly,
      run: () =>
        Ref.update(log, (all) => [...all, `${name} starts`]).pipe(
          Effect.zipRight(Deferred.await(gates[name])),
          Effect.zipRight(Ref.update(log, (all) => [...all, `${name} ends`])),
          Effect.as(name),
        ),
    })
  return { log, gates, tools: ToolRegistry.make([tool("a", true), tool("b", true), tool("w", false)]) }
})

describe("LoomEngine.generateStream, tools of one turn", () => {
  it.effect(
    "runs read-only tools concurrently and others alone, and stores the results in the order of the calls",
    () =>
      Effect.gen(function* () {
        const { gates, log, tools } = yield* gated
        const fiber = yield* Effect.fork(events({ text: "Go", tools }))
        yield* Effect.yieldNow()
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* Ref.get(log), ["a starts", "b starts"])
        yield* Deferred.succeed(gates.b, undefined)
        yield* TestClock.adjust("1 second")
        yield* Deferred.succeed(gates.a, undefined)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual((yield* Ref.get(log)).slice(2), ["b ends", "a ends", "w starts"])
        yield* Deferred.succeed(gates.w, undefined)
        const path = yield* stored(finalNode(yield* Fiber.join(fiber)).id)
        assert.deepStrictEqual(
          path.flatMap((message) => (message.role === "tool" ? [message.name] : [])),
          ["a", "b", "w"],
        )
      }).pipe(withScript([Scripted.calls(["a"], ["b"], ["w"]), "done"])),
  )

  it.effect("gives up on a tool that hangs after two minutes, and continues", () =>
    Effect.gen(function* () {
      const { tools } = yield* gated
      const fiber = yield* Effect.fork(events({ text: "Go", tools }))
      yield* TestClock.adjust("119 seconds")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 second")
      const path = yield* stored(finalNode(yield* Fiber.join(fiber)).id)
      assert.include(Message.text(path[2] ?? Message.user("")), "gave no result within 120 s")
    }).pipe(withScript([Scripted.calls(["a"]), "done"])),
  )

  it.effect("stores the results so far when it is interrupted, and marks the interrupted call", () =>
    Effect.gen(function* () {
      const { gates, tools } = yield* gated
      const { id } = yield* root
      const forest = yield* Forest.Forest
      yield* Deferred.succeed(gates.a, undefined)
      const fiber = yield* Effect.fork(events({ text: "Go", tools }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      let messages: ReadonlyArray<Message.Message> = []
      for (let [node] = yield* forest.children(id); node !== undefined; [node] = yield* forest.children(node.id)) {
        messages = [...messages, node.message]
      }
      assertWhole(messages)
      assert.deepStrictEqual(
        messages.slice(2).map((message) => [message.role === "tool" && message.name, Message.text(message)]),
        [
          ["a", "a"],
          ["w", "Error: tool 'w' was interrupted; it may or may not have run"],
        ],
      )
    }).pipe(withScript([Scripted.calls(["a"], ["w"]), "never asked"])),
  )

  it.effect("answers calls that a crash left open first", () =>
    Effect.gen(function* () {
      const { id } = yield* root
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const calls = [Block.toolUse("c1", "echo", { text: "1" }), Block.toolUse("c2", "echo", { text: "2" })] as const
      const [first, second] = calls
      const crashed = yield* forest.append(id, [
        { message: Message.user("Go"), source: { type: "user" } },
        { message: { role: "assistant", content: [first, second] }, source: { type: "notice" } },
        { message: Message.toolResult(first, "1", false), source: { type: "tool", tool: "echo" } },
      ])
      const story = yield* Stream.runCollect(engine.generateStream(crashed.at(-1)?.id ?? id, { text: "Go on", tools }))
      const path = yield* stored(finalNode(Array.from(story)).id)
      assertWhole(path)
      assert.deepStrictEqual(
        path.map((message) => message.role),
        ["user", "assistant", "tool", "tool", "user", "assistant"],
      )
    }).pipe(withScript(["I see"])),
  )
})

describe("LoomEngine.generateStream, choice of tools", () => {
  const choices = (story: ReadonlyArray<GenerateEvent>) =>
    story.flatMap((event) => (event.type === "provider_request" ? [event.request.toolChoice] : []))

  it.effect("requires a tool of the first reply only", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools, toolChoice: { tool: "echo" } })
      assert.deepStrictEqual(choices(story), [{ tool: "echo" }, "auto", "auto"])
      assert.strictEqual(types(story).at(-1), "done")
    }).pipe(withScript([Scripted.calls(["echo", { text: "a" }]), Scripted.calls(["throwing", {}]), "done"])),
  )

  it.effect("forbids calls with `none`", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools, toolChoice: "none" })
      assert.deepStrictEqual(choices(story), ["none"])
    }).pipe(withScript(["done"])),
  )

  it.effect("refuses to require a tool that is not offered, before any request", () =>
    Effect.gen(function* () {
      for (const offered of [tools, undefined]) {
        const story = yield* events({ text: "Go", tools: offered, toolChoice: { tool: "rm" } })
        assert.deepStrictEqual(types(story), ["error"])
        assert.strictEqual(finalError(story).message, 'Tool "rm" not found.')
      }
      const forest = yield* Forest.Forest
      assert.deepStrictEqual(yield* forest.leaves(1), [])
    }).pipe(withScript(["done"])),
  )
})

describe("LoomEngine.generate, with a tool that ends the run", () => {
  const record = Tool.make({
    name: "record",
    description: "Ends the run once all is recorded.",
    parameters: Schema.Struct({ all: Schema.Boolean }),
    run: ({ all }) => Effect.succeed({ text: "recorded", endsRun: all }),
  })
  const recording = ToolRegistry.make([echo, record])
  const all = ["record", { all: true }] as const
  const rest = ["record", { all: false }] as const

  it.effect("stores all results of the turn, sends no further request, and returns the last result", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools: recording, maxToolIterations: 1 })
      assert.deepStrictEqual(types(story), [
        "provider_request",
        "provider_response",
        "assistant_node",
        "tool_result_node",
        "tool_result_node",
        "done",
      ])
      const path = yield* stored(finalNode(story).id)
      assert.deepStrictEqual(
        path.map(({ role }) => role),
        ["user", "assistant", "tool", "tool"],
      )
      assertWhole(path)
    }).pipe(withScript([Scripted.calls(all, all), "never requested"])),
  )

  it.effect("can be continued from the node that it returned", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const { id } = yield* root
      const [last] = yield* engine.generate(id, { text: "Go", tools: recording })
      const [answer] = yield* engine.generate(last?.id ?? id, { text: "And now?", tools: recording })
      const path = yield* stored(answer?.id ?? id)
      assert.deepStrictEqual(
        path.map((message) => Message.text(message)),
        ["Go", "", "recorded", "And now?", "That was all."],
      )
    }).pipe(withScript([Scripted.calls(all), "That was all."])),
  )

  it.effect("goes on where one result of the turn does not end it", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools: recording })
      assert.strictEqual(Message.text(finalNode(story).message), "Done.")
    }).pipe(withScript([Scripted.calls(all, rest), Scripted.calls(all, ["echo", { text: "x" }]), "Done."])),
  )

  it("leaves a complete path wherever it is interrupted", () => {
    let last: ReadonlyArray<string> = []
    for (let steps = 1; steps < 400; steps += isThorough ? 1 : 15) {
      const scope = Effect.runSync(Scope.make())
      const script = [Scripted.calls(all, all), "never requested"]
      const context = Effect.runSync(Layer.buildWithScope(layerOf(Scripted.layer(script)), scope))
      const { id } = Effect.runSync(Effect.provide(root, context))
      const run = Effect.flatMap(LoomEngine.LoomEngine, (engine) =>
        engine.generate(id, { text: "Go", tools: recording }),
      )
      assert.isNotNull(interruptAfter(steps, Effect.provide(run, context)), `hangs when interrupted at step ${steps}`)
      const messages = Effect.runSync(Effect.provide(deepest(id), context))
      assertWhole(messages)
      assert.isEmpty(History.findUnanswered(messages))
      last = messages.map(({ role }) => role)
      Effect.runSync(Scope.close(scope, Exit.void))
    }
    assert.deepStrictEqual(last, ["user", "assistant", "tool", "tool"])
  })

  /** The messages below a node, along the first children. */
  const deepest = (id: NodeId): Effect.Effect<ReadonlyArray<Message.Message>, ForestError, Forest.Forest> =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const [child] = yield* forest.children(id)
      return child === undefined ? [] : [child.message, ...(yield* deepest(child.id))]
    })
})
