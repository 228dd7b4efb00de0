import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, FastCheck, Fiber, Layer, Option, Ref, Schema, Scope, Stream, TestClock } from "effect"
import type { GenerateEvent } from "../../src/agent/GenerateEvent.ts"
import type { GenerateOptions } from "../../src/agent/GenerateOptions.ts"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import { takeWindow } from "../../src/agent/Summary.ts"
import type { TurnEvent } from "../../src/agent/TurnEvent.ts"
import * as Forest from "../../src/forest/Forest.ts"
import type { ForestError } from "../../src/forest/ForestError.ts"
import type { Draft, Node } from "../../src/forest/Node.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as History from "../../src/model/History.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { type Limits, unknown } from "../../src/model/Limits.ts"
import { ContextOverflow, ModelError, Overloaded, Unauthorized } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { isThorough } from "../thoroughness.ts"
import { interruptAfter } from "../utils/interruptAfter.ts"
import { countedInto, events, layerOf, root, types, withScript } from "../utils/Looms.ts"
import * as TurnEvents from "../utils/TurnEvents.ts"

const echo = Tool.make({
  name: "echo",
  description: "Says it again.",
  parameters: Schema.Struct({ text: Schema.String }),
  readOnly: true,
  run: ({ text }) => Effect.succeed(JSON.stringify({ echo: text })),
})

const throwing = Tool.make({
  name: "throwing",
  description: "Throws.",
  parameters: Schema.Struct({}),
  run: () => {
    throw new Error("disk full")
  },
})

const tools = ToolRegistry.make([echo, throwing])

const stored = (id: NodeId) =>
  Effect.map(
    Effect.flatMap(Forest.Forest, (forest) => forest.path(id)),
    ({ nodes }) => nodes.map((node) => node.message),
  )

const finalNode = (events: ReadonlyArray<GenerateEvent>) => {
  const last = events.at(-1)
  return last?.type === "done" && last.final[0] !== undefined ? last.final[0] : assert.fail(`ended in ${last?.type}`)
}

const finalError = (events: ReadonlyArray<GenerateEvent>) => {
  const last = events.at(-1)
  return last?.type === "error" ? last.error : assert.fail(`ended in ${last?.type}`)
}

/** Every call on the path is answered once, before any other message. */
const assertWhole = (messages: ReadonlyArray<Message.Message>) =>
  assert.deepStrictEqual(
    History.repair(messages).map((message) => message.role),
    messages.map((message) => message.role),
  )

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

  it.effect("offers others in their place, and none where several replies are asked for", () =>
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

describe("LoomEngine.generateStream", () => {
  it.effect("passes `onEvent` one argument", () =>
    Effect.gen(function* () {
      const calls: Array<ReadonlyArray<unknown>> = []
      const onEvent = (...args: ReadonlyArray<unknown>) => Effect.sync(() => void calls.push(args))
      const path = yield* events({ text: "Go", tools, onEvent })
      assert.strictEqual(path.at(-1)?.type, "done")
      assert.isNotEmpty(calls)
      assert.deepStrictEqual(
        calls.map((call) => call.length),
        calls.map(() => 1),
      )
    }).pipe(withScript([Scripted.calls(["echo", { text: "hi" }]), "Done."])),
  )

  it.effect("emits the specified events in order for a run with one tool call", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools })
      assert.deepStrictEqual(types(story), [
        "provider_request",
        "provider_response",
        "assistant_node",
        "tool_result_node",
        "provider_request",
        "provider_response",
        "assistant_node",
        "done",
      ])
      const path = yield* stored(finalNode(story).id)
      assert.deepStrictEqual(path, [
        Message.user("Go"),
        { role: "assistant", content: [Block.toolUse("call_0", "echo", { text: "Hello World" })] },
        {
          role: "tool",
          tool_call_id: "call_0",
          name: "echo",
          content: [Block.text('{"echo":"Hello World"}')],
        },
        { role: "assistant", content: [Block.text("done")] },
      ])
    }).pipe(withScript([Scripted.calls(["echo", { text: "Hello World" }]), "done"])),
  )

  it.effect("answers a path as it stands when there is no text, without a user node", () =>
    Effect.gen(function* () {
      const story = yield* events({})
      assert.deepStrictEqual(
        (yield* stored(finalNode(story).id)).map((message) => message.role),
        ["assistant"],
      )
    }).pipe(withScript(["Hello"])),
  )

  it.effect("sends the system prompt, the whole path and the tools with every request", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools })
      const requests = story.flatMap((event) => (event.type === "provider_request" ? [event.request] : []))
      assert.deepStrictEqual(
        requests.map(({ messages, system, tools }) => [system, messages.length, tools.map((tool) => tool.name)]),
        [
          ["You are a test.", 1, ["echo", "throwing"]],
          ["You are a test.", 3, ["echo", "throwing"]],
        ],
      )
    }).pipe(withScript([Scripted.calls(["echo", { text: "x" }]), "done"])),
  )

  it.effect("joins adjacent messages of one role in the request", () =>
    Effect.gen(function* () {
      const { id } = yield* root
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const said = (text: string): Message.Message => ({ role: "assistant", content: [Block.text(text)] })
      const nodes = yield* forest.append(
        id,
        [Message.user("Write a poem"), said("The first line is"), said(" finished later.")].map((message) => ({
          message,
          source: { type: "user" },
        })),
      )
      const story = yield* Stream.runCollect(engine.generateStream(nodes.at(-1)?.id ?? id, {}))
      assert.deepStrictEqual(
        Array.from(story).flatMap((event) => (event.type === "provider_request" ? [event.request.messages] : [])),
        [[Message.user("Write a poem"), said("The first line is\n\n finished later.")]],
      )
    }).pipe(withScript(["More"])),
  )

  it.effect("sends a message that an edit has divided as the one that the user wrote", () =>
    Effect.gen(function* () {
      const { id } = yield* root
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const [poem] = yield* forest.append(id, [
        { message: Message.user("Write a poem"), source: { type: "user" } },
        { message: { role: "assistant", content: [Block.text("Roses")] }, source: { type: "notice" } },
      ])
      const edited = yield* forest.edit(poem?.id ?? id, "Write a poem about cats")
      const [more] = yield* forest.append(edited.id, [{ message: Message.user("In rhymes"), source: { type: "user" } }])
      const story = yield* Stream.runCollect(engine.generateStream(more?.id ?? id, {}))
      assert.deepStrictEqual(
        Array.from(story).flatMap((event) => (event.type === "provider_request" ? [event.request.messages] : [])),
        [[Message.user("Write a poem about cats\n\nIn rhymes")]],
      )
    }).pipe(withScript(["More"])),
  )

  it.effect("reuses a message that is stored already, and adds only the reply", () =>
    Effect.gen(function* () {
      const { id } = yield* root
      const forest = yield* Forest.Forest
      const first = finalNode(yield* events({ text: "Hello" }))
      const before = yield* forest.subtree(id)
      const second = finalNode(yield* events({ text: "Hello" }))
      assert.strictEqual(second.parent, first.parent)
      assert.deepStrictEqual(yield* forest.subtree(id), [...before, second])
    }).pipe(withScript(["Hi", "Hi there"])),
  )

  it.effect("stores the results of two calls in order, under the ids of the calls", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools })
      const answers = (yield* stored(finalNode(story).id)).flatMap((message) =>
        message.role === "tool" ? [message.tool_call_id] : [],
      )
      assert.deepStrictEqual(answers, ["c1", "c2"])
    }).pipe(
      withScript([
        {
          toolCalls: [
            { id: "c1", name: "echo", arguments: { text: "1" } },
            { id: "c2", name: "echo", arguments: { text: "2" } },
          ],
        },
        "done",
      ]),
    ),
  )

  it.effect("gives calls of different turns different ids where the provider repeats them", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools })
      const path = yield* stored(finalNode(story).id)
      assert.deepStrictEqual(
        path.flatMap(Message.toolUses).map((call) => call.id),
        ["call_0", "call_1", "call_0_2"],
      )
      assertWhole(path)
    }).pipe(
      withScript([
        Scripted.calls(["echo", { text: "same" }], ["echo", { text: "same" }]),
        Scripted.calls(["echo", { text: "same" }]),
        "done",
      ]),
    ),
  )

  it.effect("returns an error result to the model for a tool that throws, an unknown tool and invalid arguments", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools })
      const answers = (yield* stored(finalNode(story).id)).flatMap((message) =>
        message.role === "tool" ? [[message.isError, Message.text(message)]] : [],
      )
      assert.deepStrictEqual(answers, [
        [true, "Error: tool 'throwing' failed: disk full"],
        [true, "Error: tool 'nonexistent' not found. The tools are: echo, throwing"],
        [true, "Error: invalid arguments for tool 'echo':\n- text: is missing"],
      ])
    }).pipe(withScript([Scripted.calls(["throwing"], ["nonexistent"], ["echo"]), "done"])),
  )

  it.effect("stops after the last allowed round of tools, with their results stored and no further request", () =>
    Effect.gen(function* () {
      const asked = yield* Ref.make(0)
      const story = yield* events({
        text: "Go",
        tools,
        maxToolIterations: 1,
        onEvent: TurnEvents.onPart((part) => (part._tag === "Finish" ? Ref.update(asked, (n) => n + 1) : Effect.void)),
      })
      assert.deepStrictEqual(types(story).slice(-3), ["assistant_node", "tool_result_node", "error"])
      assert.strictEqual(finalError(story).message, "Exceeded maximum tool iterations (1).")
      assert.strictEqual(yield* Ref.get(asked), 1)
    }).pipe(withScript(() => Scripted.calls(["echo", { text: "again" }]))),
  )

  it.effect("allows five rounds of tools by default", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools })
      assert.lengthOf(
        story.filter((event) => event.type === "provider_request"),
        5,
      )
      assert.strictEqual(finalError(story)._tag, "ToolIterationLimitExceededError")
    }).pipe(withScript(() => Scripted.calls(["echo", { text: "again" }]))),
  )

  it.effect("stops a model that repeats itself with `stopsRepeats`, and keeps the messages", () =>
    Effect.gen(function* () {
      const requests = (story: ReadonlyArray<GenerateEvent>) =>
        story.filter((event) => event.type === "provider_request").length
      const story = yield* events({ text: "Go", tools, maxToolIterations: 20, stopsRepeats: true })
      assert.strictEqual(
        finalError(story).message,
        "Stopped, since the model repeated itself: the same call of echo, with the same result, 5 times.",
      )
      assert.deepStrictEqual([requests(story), types(story).at(-2)], [5, "tool_result_node"])
      const patient = yield* events({ text: "Go", tools, maxToolIterations: 20 })
      assert.deepStrictEqual([finalError(patient)._tag, requests(patient)], ["ToolIterationLimitExceededError", 20])
    }).pipe(withScript(() => Scripted.calls(["echo", { text: "again" }]))),
  )

  it.effect("stores with each reply how long it took from its request on", () =>
    Effect.gen(function* () {
      const scripted = yield* Scripted.make([Scripted.calls(["echo", { text: "a" }]), "done"])
      const generate: LanguageModel.Service["generate"] = (request, observer) =>
        Effect.delay(scripted.generate(request, observer), "3 seconds")
      const fiber = yield* Effect.fork(events({ text: "Go", tools, model: { ...scripted, generate } }))
      yield* TestClock.adjust("1 minute")
      const forest = yield* Forest.Forest
      const { nodes } = yield* forest.path(finalNode(yield* Fiber.join(fiber)).id)
      assert.deepStrictEqual(
        nodes.flatMap(({ source }) => (source.type === "model" ? [source.took] : [])),
        [3000, 3000],
      )
    }).pipe(withScript([])),
  )

  it.effect("stores nothing when the model fails, and reports the error", () =>
    Effect.gen(function* () {
      const { id } = yield* root
      const forest = yield* Forest.Forest
      const fiber = yield* Effect.fork(events({ text: "Go" }))
      yield* TestClock.adjust("1 minute")
      const story = yield* Fiber.join(fiber)
      assert.deepStrictEqual(types(story), ["provider_request", "error"])
      assert.strictEqual(finalError(story).message, "scripted/test: busy")
      assert.lengthOf(yield* forest.children(id), 0)
    }).pipe(withScript(() => new ModelError({ model: "scripted/test", reason: new Overloaded({ message: "busy" }) }))),
  )

  it.effect("names a missing node", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const story = Array.from(yield* Stream.runCollect(engine.generateStream("nowhere" as NodeId, {})))
      assert.deepStrictEqual(types(story), ["error"])
      assert.strictEqual(finalError(story).message, "Node not found: nowhere")
    }).pipe(withScript([])),
  )

  it.effect("emits whole replies, though the model streams in parts", () =>
    Effect.gen(function* () {
      const heard = yield* Ref.make<ReadonlyArray<string>>([])
      const story = yield* events({
        text: "Go",
        onEvent: TurnEvents.onPart((part) => Ref.update(heard, (all) => [...all, part._tag])),
      })
      assert.deepStrictEqual(finalNode(story).message.content, [Block.text("abc")])
      assert.deepStrictEqual(yield* Ref.get(heard), ["Text", "Text", "Text", "Finish"])
    }).pipe(
      Effect.provide(
        layerOf(
          Layer.succeed(
            LanguageModel.LanguageModel,
            LanguageModel.make(new ModelId({ provider: "pieces", name: "test" }), (_, say) =>
              say([
                Part.Text({ text: "a" }),
                Part.Text({ text: "b" }),
                Part.Text({ text: "c" }),
                Part.Finish({ reason: "stop", usage: Usage.none }),
              ]),
            ),
          ),
        ),
      ),
    ),
  )
})

describe("LoomEngine.generateStream: a reply that cannot be stored", () => {
  const own = (...parts: ReadonlyArray<Part>) =>
    layerOf(
      Layer.succeed(
        LanguageModel.LanguageModel,
        LanguageModel.make(new ModelId({ provider: "own", name: "test" }), (_, say) => say(parts)),
      ),
    )
  const finish = Part.Finish({ reason: "stop", usage: Usage.none })
  const unknown = Part.Finish({ reason: "stop", usage: { ...Usage.none, outputTokens: Number.NaN } })

  it.effect.each<readonly [what: string, parts: ReadonlyArray<Part>, issue: string]>([
    ["a blank tool name", [Part.ToolUse({ name: "", parameters: {} }), finish], "content.0.name"],
    ["usage that is no number", [Part.Text({ text: "a" }), unknown], "source.usage.outputTokens: is no number: NaN"],
  ])("fails the run as the model's mistake, and stores nothing: %s", ([, parts, issue]) =>
    Effect.gen(function* () {
      const error = finalError(yield* events({ text: "Go", tools }))
      if (error._tag !== "ModelError") assert.fail(error._tag)
      assert.strictEqual(error.reason._tag, "Unusable")
      assert.include(error.message, "own/test: its answer cannot be stored: ")
      assert.include(error.message, issue)
      const forest = yield* Forest.Forest
      assert.deepStrictEqual(yield* forest.subtree((yield* root).id), [])
    }).pipe(Effect.provide(own(...parts))),
  )

  it.effect("goes on with a call that has an argument named __proto__, and stores it without", () =>
    Effect.gen(function* () {
      const ended = (yield* events({ text: "Go", tools, maxToolIterations: 1 })).flatMap((event) =>
        event.type === "tool_result_node" ? [event.node.message.role] : [],
      )
      assert.deepStrictEqual(ended, ["tool"])
      const forest = yield* Forest.Forest
      const calls = (yield* forest.subtree((yield* root).id)).flatMap(({ message }) => Message.toolUses(message))
      assert.deepEqual(
        calls.map(({ parameters }) => parameters),
        [{ a: 1 }],
      )
    }).pipe(
      Effect.provide(
        own(Part.ToolUse({ name: "look", parameters: JSON.parse('{"__proto__":{"b":2},"a":1}') }), finish),
      ),
    ),
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

describe("LoomEngine.generateStream, options out of range", () => {
  const flaws: ReadonlyArray<readonly [GenerateOptions, string]> = [
    ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map(
      (n) => [{ n }, `n must be a whole number from 1, and is ${n}`] as const,
    ),
    ...[0, -1, 2.5, Number.NaN].map(
      (maxToolIterations) =>
        [
          { maxToolIterations },
          `maxToolIterations must be a whole number from 1, and is ${maxToolIterations}`,
        ] as const,
    ),
    [{ window: Number.NaN }, "window must be a whole number from 0, and is NaN"],
    [{ maxOutputTokens: Number.NaN }, "maxOutputTokens must be a whole number from 1, and is NaN"],
    [{ maxOutputTokens: 0 }, "maxOutputTokens must be a whole number from 1, and is 0"],
    [{ temperature: Number.NaN }, "temperature must be a number from 0, and is NaN"],
  ]

  it.effect.each(flaws)("refuses %j before anything is stored or sent", ([options, message]) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* root
      const story = yield* events({ text: "Go", ...options })
      assert.deepStrictEqual(types(story), ["error"])
      assert.deepStrictEqual([finalError(story)._tag, finalError(story).message], ["InvalidOptionError", message])
      const { generate, generateSeveral } = yield* LoomEngine.LoomEngine
      assert.strictEqual((yield* Effect.flip(generate(id, { text: "Go", ...options }))).message, message)
      const models = [yield* Scripted.make(["never"])]
      const several = yield* Stream.runCollect(generateSeveral(id, models, { text: "Go", ...options }))
      assert.deepStrictEqual(
        Array.from(several, ([, event]) => event.type === "error" && event.error.message),
        [message],
      )
      assert.deepStrictEqual(yield* forest.subtree(id), [])
    }).pipe(withScript([])),
  )

  it.effect("accepts no limit of rounds, and a window of nothing", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", maxToolIterations: Number.POSITIVE_INFINITY, window: 0 })
      assert.strictEqual(story.at(-1)?.type, "done")
    }).pipe(withScript(["Done."])),
  )
})

describe("LoomEngine.generateStream, several answers", () => {
  it.effect(
    "requests several replies one after the other, each a branch of its own, though their texts are equal",
    () =>
      Effect.gen(function* () {
        const story = yield* events({ text: "Go", n: 3 })
        const once = ["provider_request", "provider_response", "assistant_node"]
        assert.deepStrictEqual(types(story), [...once, ...once, ...once, "done"])
        const last = story.at(-1)
        const final = last?.type === "done" ? last.final : []
        assert.deepStrictEqual(
          story.flatMap((event) => (event.type === "assistant_node" ? [event.node] : [])),
          final,
        )
        assert.strictEqual(new Set(final.map(({ id }) => id)).size, 3)
        assert.strictEqual(new Set(final.map(({ parent }) => parent)).size, 1)
        assert.deepStrictEqual(
          final.map(({ message }) => Message.text(message)),
          ["same", "same", "other"],
        )
        const requests = story.flatMap((event) => (event.type === "provider_request" ? [event.request.messages] : []))
        assert.deepStrictEqual(requests, [[Message.user("Go")], [Message.user("Go")], [Message.user("Go")]])
      }).pipe(withScript(["same", "same", "other"])),
  )

  it.effect("refuses several replies with tools before any request", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", n: 2, tools })
      assert.deepStrictEqual(types(story), ["error"])
      assert.strictEqual(finalError(story)._tag, "ToolsOnlySupportNSingletonError")
      assert.strictEqual(finalError(story).message, "Tool calling currently only supports n=1")
      const forest = yield* Forest.Forest
      assert.deepStrictEqual(yield* forest.leaves(1), [])
    }).pipe(withScript([])),
  )

  it.effect("treats an empty registry as no tools", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", n: 2, tools: ToolRegistry.make([]) })
      assert.strictEqual(story.at(-1)?.type, "done")
    }).pipe(withScript(["a", "b"])),
  )

  it.effect("keeps earlier replies when a later one fails, and ends with that error", () =>
    Effect.gen(function* () {
      const { id } = yield* root
      const fiber = yield* Effect.fork(events({ text: "Go", n: 3 }))
      yield* TestClock.adjust("1 minute")
      const story = yield* Fiber.join(fiber)
      assert.deepStrictEqual(types(story).slice(-2), ["provider_request", "error"])
      const forest = yield* Forest.Forest
      const kept = yield* forest.subtree(id)
      assert.deepStrictEqual(
        kept.map(({ message }) => Message.text(message)),
        ["Go", "first"],
      )
    }).pipe(
      withScript((_, index) =>
        index === 0 ? "first" : new ModelError({ model: "scripted/test", reason: new Overloaded({ message: "busy" }) }),
      ),
    ),
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

describe("LoomEngine.generateStream, longest answer", () => {
  it.effect("requests fewer output tokens as tool results grow", () =>
    Effect.gen(function* () {
      const long = Tool.make({
        name: "long",
        description: "Says much.",
        parameters: Schema.Struct({}),
        run: () => Effect.succeed("x".repeat(2_000)),
      })
      const scripted = yield* Scripted.make([Scripted.calls(["long", {}]), "done"])
      const model = { ...scripted, limits: { context: 1_500, output: 1_000 } }
      const story = yield* events({ text: "Go", tools: ToolRegistry.make([long]), model, maxOutputTokens: 5_000 })
      const asked = story.flatMap((event) => (event.type === "provider_request" ? [event.request.maxOutputTokens] : []))
      assert.deepStrictEqual(asked, [1_000, 822])
    }).pipe(withScript([])),
  )
})

describe("LoomEngine.generateStream, window", () => {
  it.effect("sends only the last messages of users and models with what is between, and keeps all", () =>
    Effect.gen(function* () {
      const { id } = yield* root
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const said = ["1", "2", "3"].map((text) => ({ message: Message.user(text), source: { type: "user" as const } }))
      const call = Block.toolUse("c", "echo", { text: "x" })
      const nodes = yield* forest.append(id, [
        ...said,
        { message: { role: "assistant", content: [call] }, source: { type: "notice" } },
        { message: Message.toolResult(call, "x", false), source: { type: "tool", tool: "echo" } },
        { message: { role: "assistant", content: [Block.text("4")] }, source: { type: "notice" } },
      ])
      const told = (window: number) =>
        Effect.map(
          Stream.runCollect(engine.generateStream(nodes.at(-1)?.id ?? id, { text: "5", window })),
          (events) =>
            Array.from(events).flatMap((event) =>
              event.type === "provider_request" ? [event.request.messages.map(Message.text)] : [],
            )[0],
        )
      assert.deepStrictEqual(yield* told(0), ["5"])
      assert.deepStrictEqual(yield* told(1), ["4", "5"])
      assert.deepStrictEqual(yield* told(2), ["3", "", "x", "4", "5"])
      assert.deepStrictEqual(yield* told(3), ["2\n\n3", "", "x", "4", "5"])
      assert.deepStrictEqual(yield* told(50), ["1\n\n2\n\n3", "", "x", "4", "5"])
    }).pipe(withScript(["a", "b", "c", "d", "e"])),
  )
})

describe("LoomEngine.generateStream, on a long path", () => {
  /** A user's words, an answer, a notice, or calls of which the first so many were answered. */
  const exchange = FastCheck.oneof(
    FastCheck.constantFrom("user" as const, "assistant" as const, "notice" as const),
    FastCheck.record({ calls: FastCheck.integer({ min: 1, max: 6 }), answered: FastCheck.nat({ max: 6 }) }),
  )
  type Exchange = typeof exchange extends FastCheck.Arbitrary<infer A> ? A : never

  const draftsOf = (exchange: Exchange, index: number): ReadonlyArray<Draft> => {
    const said = Block.text(`${index}`)
    if (exchange === "user") return [{ message: { role: "user", content: [said] }, source: { type: "user" } }]
    if (exchange === "notice") return [{ message: { role: "system", content: [said] }, source: { type: "notice" } }]
    if (exchange === "assistant")
      return [{ message: { role: "assistant", content: [said] }, source: { type: "notice" } }]
    const calls = Array.from({ length: exchange.calls }, (_, n) =>
      Block.toolUse(`${index}-${n}`, "echo", { text: "x" }),
    )
    return [
      { message: { role: "assistant", content: [said, ...calls] }, source: { type: "notice" } },
      ...calls
        .slice(0, exchange.answered)
        .map(
          (call): Draft => ({ message: Message.toolResult(call, "x", false), source: { type: "tool", tool: "echo" } }),
        ),
    ]
  }

  it.effect.prop(
    "sends of the end of a path what it would send of the whole path, with open calls answered",
    [FastCheck.array(exchange, { maxLength: 8 }), FastCheck.nat({ max: 9 })],
    ([exchanges, window]) =>
      Effect.gen(function* () {
        const { id } = yield* root
        const forest = yield* Forest.Forest
        const engine = yield* LoomEngine.LoomEngine
        const nodes = yield* forest.append(id, exchanges.flatMap(draftsOf))
        const story = yield* Stream.runCollect(engine.generateStream(nodes.at(-1)?.id ?? id, { text: "Go", window }))
        const path = yield* stored(finalNode(Array.from(story)).id)
        const before = path.slice(0, -2)
        assert.deepStrictEqual(History.findUnanswered(before), [])
        const [told] = Array.from(story).flatMap((event) => (event.type === "provider_request" ? [event.request] : []))
        assert.deepStrictEqual(told?.messages, History.repair([...takeWindow(before, window), Message.user("Go")]))
      }).pipe(withScript(["Here."])),
  )

  it.effect("reads no more of a path than the window and open calls need", () => {
    const reads: Array<number> = []
    return Effect.gen(function* () {
      const { id } = yield* root
      const forest = yield* Forest.Forest
      const engine = yield* LoomEngine.LoomEngine
      const call = (n: number) => Block.toolUse(`c${n}`, "echo", { text: "x" })
      const [first, ...more] = Array.from({ length: 20 }, (_, n) => call(n))
      const nodes = yield* forest.append(id, [
        ...Array.from({ length: 300 }, (_, n): Draft => ({ message: Message.user(`${n}`), source: { type: "user" } })),
        { message: { role: "assistant", content: [first ?? call(0), ...more] }, source: { type: "notice" } },
        ...more.map((call): Draft => ({ message: Message.toolResult(call, "x", false), source: { type: "notice" } })),
      ])
      const words = nodes[299]?.id ?? id
      const last = nodes.at(-1)?.id ?? id
      yield* engine.generate(words, { text: "Go", window: 50 })
      assert.deepStrictEqual(reads.splice(0), [51])
      const [answer] = yield* engine.generate(last, { text: "Go", window: 2 })
      assert.deepStrictEqual(reads.splice(0), [3, 12, 48])
      assertWhole((yield* stored(answer?.id ?? id)).slice(300))
    }).pipe(Effect.provide(layerOf(Scripted.layer(["a", "b"]), countedInto(reads))))
  })
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
    for (let steps = 1; steps < 400; steps += isThorough ? 1 : 6) {
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

describe("LoomEngine.generate", () => {
  it.effect("returns the replies, or fails as the run does", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const { id } = yield* root
      const nodes = yield* engine.generate(id, { text: "Go", n: 2 })
      assert.deepStrictEqual(
        nodes.map(({ message }) => Message.text(message)),
        ["a", "b"],
      )
      const error = yield* Effect.flip(engine.generate(id, { tools, n: 2 }))
      assert.strictEqual(error._tag, "ToolsOnlySupportNSingletonError")
      const aborted = yield* Effect.flip(engine.generate(id, { text: "Go", signal: AbortSignal.abort("too late") }))
      assert.strictEqual(aborted._tag, "GenerationAbortedError")
    }).pipe(withScript(["a", "b"])),
  )
})

describe("LoomEngine.generateSeveral", () => {
  const named = (name: string, script: Scripted.Script) =>
    Effect.map(
      Scripted.make(script),
      (model): LanguageModel.Service => ({ ...model, id: new ModelId({ provider: "scripted", name }) }),
    )

  it.effect("runs models concurrently, one failing without the others, and stores the user's message once", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const forest = yield* Forest.Forest
      const { id } = yield* root
      const started = yield* Deferred.make<void>()
      const refused = new ModelError({ model: "scripted/b", reason: new Unauthorized({ message: "no" }) })
      const slow = LanguageModel.make(new ModelId({ provider: "scripted", name: "slow" }), (_, say) =>
        Effect.zipRight(
          Deferred.await(started),
          say([Part.Text({ text: "slow" }), Part.Finish({ reason: "stop", usage: Usage.none })]),
        ),
      )
      const quick = LanguageModel.make(new ModelId({ provider: "scripted", name: "quick" }), (_, say) =>
        Effect.zipRight(
          Deferred.succeed(started, undefined),
          say([Part.Text({ text: "quick" }), Part.Finish({ reason: "stop", usage: Usage.none })]),
        ),
      )
      const models = [slow, yield* named("b", [refused]), quick]
      const told = Array.from(yield* Stream.runCollect(engine.generateSeveral(id, models, { text: "Go" })))
      const ends = told.flatMap(([model, event]) =>
        event.type === "done" || event.type === "error" ? [[model.name, event.type]] : [],
      )
      assert.sameDeepMembers(ends, [
        ["slow", "done"],
        ["b", "error"],
        ["quick", "done"],
      ])
      const [asked] = yield* forest.children(id)
      assert.lengthOf(yield* forest.children(id), 1)
      assert.sameMembers(
        (yield* forest.children(asked?.id ?? id)).map(({ message }) => Message.text(message)),
        ["slow", "quick"],
      )
    }).pipe(withScript([])),
  )

  it.effect("keeps the user's message whatever happens", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const forest = yield* Forest.Forest
      const { id } = yield* root
      const refused = new ModelError({ model: "scripted/b", reason: new Unauthorized({ message: "no" }) })
      yield* Stream.runDrain(engine.generateSeveral(id, [yield* named("b", [refused])], { text: "Go" }))
      assert.deepStrictEqual(
        (yield* forest.subtree(id)).map(({ message }) => Message.text(message)),
        ["Go"],
      )
    }).pipe(withScript([])),
  )
})

describe("LoomEngine.generateStream, abort", () => {
  it.effect("only emits an error when the signal is aborted already", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", signal: AbortSignal.abort("too late") })
      assert.deepStrictEqual(types(story), ["error"])
      assert.strictEqual(finalError(story).message, "Generation aborted: too late")
    }).pipe(withScript([])),
  )

  it.effect("ends at once while the model hangs, with one error", () =>
    Effect.gen(function* () {
      const controller = new AbortController()
      const fiber = yield* Effect.fork(events({ text: "Go", signal: controller.signal }))
      yield* TestClock.adjust("1 second")
      controller.abort("user cancel")
      const story = yield* Fiber.join(fiber)
      assert.deepStrictEqual(types(story), ["provider_request", "error"])
      assert.strictEqual(finalError(story)._tag, "GenerationAbortedError")
    }).pipe(
      Effect.provide(
        layerOf(
          Layer.succeed(
            LanguageModel.LanguageModel,
            LanguageModel.make(new ModelId({ provider: "hanging", name: "test" }), () => Effect.never),
          ),
        ),
      ),
    ),
  )

  it.effect("sends no further request once it is aborted at a tool result", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const { id } = yield* root
      const controller = new AbortController()
      const story = yield* engine.generateStream(id, { text: "Go", tools, signal: controller.signal }).pipe(
        Stream.tap((event) =>
          Effect.sync(() => {
            if (event.type === "tool_result_node") controller.abort("user cancel")
          }),
        ),
        Stream.runCollect,
      )
      assert.deepStrictEqual(types(Array.from(story)), [
        "provider_request",
        "provider_response",
        "assistant_node",
        "tool_result_node",
        "error",
      ])
    }).pipe(withScript([Scripted.calls(["echo", { text: "x" }])])),
  )

  it.effect("stops the run when its consumer stops", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const { id } = yield* root
      const asked = yield* Ref.make(0)
      const onEvent = TurnEvents.onPart(() => Ref.update(asked, (n) => n + 1))
      yield* Stream.runDrain(Stream.take(engine.generateStream(id, { text: "Go", onEvent }), 1))
      assert.strictEqual(yield* Ref.get(asked), 0)
    }).pipe(withScript(["never said"])),
  )
})

describe("LoomEngine.generateStream: a reply that is stopped", () => {
  const half = [Part.Thinking({ text: "Hm." }), Part.Text({ text: "Half " }), Part.Text({ text: "of it" })]
  const call = Part.ToolUse({ name: "echo", parameters: { text: "x" } })

  /** Each attempt emits its parts and ends as scripted; reports when one hangs. */
  const attempts = (...script: ReadonlyArray<readonly [ReadonlyArray<Part>, ModelError | "hangs"]>) =>
    Effect.map(Deferred.make<void>(), (hangs) => {
      let count = 0
      const model = LanguageModel.make(new ModelId({ provider: "test", name: "half" }), (_, say) => {
        const [parts, end] = script[count++] ?? assert.fail("it was asked once more")
        const ending =
          end === "hangs" ? Effect.zipRight(Deferred.succeed(hangs, undefined), Effect.never) : Effect.fail(end)
        return Effect.zipRight(say(parts), ending)
      })
      return { model, hangs }
    })

  /** Says `Go`, and aborts once the model hangs; what the tree holds then, and how the run ended. */
  const aborted = (options: GenerateOptions, hangs: Deferred.Deferred<void>) =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const controller = new AbortController()
      const fiber = yield* Effect.fork(events({ text: "Go", tools, ...options, signal: controller.signal }))
      yield* TestClock.adjust("1 minute")
      yield* Deferred.await(hangs)
      controller.abort("enough")
      const story = yield* Fiber.join(fiber)
      assert.strictEqual(finalError(story)._tag, "GenerationAbortedError")
      return { kept: yield* forest.subtree((yield* root).id), story }
    })

  const said = (nodes: ReadonlyArray<Node>) => nodes.map(({ message }) => [message.role, Message.text(message)])

  it.effect("is stored below the message it answers, without its calls", () =>
    Effect.gen(function* () {
      const { hangs, model } = yield* attempts([[...half, call], "hangs"])
      const stored: Array<Node> = []
      const onEvent = TurnEvents.onNode((node) => Effect.sync(() => stored.push(node)))
      const { kept, story } = yield* aborted({ model, keepUnfinished: true, onEvent }, hangs)
      assert.deepStrictEqual(types(story), ["provider_request", "error"])
      assert.deepStrictEqual(said(kept), [
        ["user", "Go"],
        ["assistant", "Half of it"],
      ])
      assert.deepStrictEqual(kept[1]?.message.content, [Block.text("Half of it")])
      assert.deepStrictEqual(kept[1]?.source, {
        type: "model",
        model: "test/half",
        finish: "interrupted",
        usage: Usage.none,
        took: 60_000,
      })
      assert.strictEqual(kept[1]?.parent, kept[0]?.id)
      assert.deepStrictEqual(stored, kept)
    }).pipe(withScript([])),
  )

  it.effect("is not stored by default, nor while it has no text", () =>
    Effect.gen(function* () {
      for (const [parts, keepUnfinished] of [
        [half, undefined],
        [[...half.slice(0, 1), Part.Text({ text: " \n" })], true],
      ] as const) {
        const { hangs, model } = yield* attempts([parts, "hangs"])
        assert.deepStrictEqual((yield* aborted({ model, keepUnfinished }, hangs)).kept, [])
      }
    }).pipe(withScript([])),
  )

  it.effect("is stored without the text of an attempt that was discarded", () =>
    Effect.gen(function* () {
      const busy = new ModelError({ model: "test/half", reason: new Overloaded({ message: "busy" }) })
      const { hangs, model } = yield* attempts([[Part.Text({ text: "Void." })], busy], [half, "hangs"])
      const { kept } = yield* aborted({ model, keepUnfinished: true }, hangs)
      assert.deepStrictEqual(said(kept).slice(1), [["assistant", "Half of it"]])
    }).pipe(withScript([])),
  )

  it.effect("is not stored where the model itself failed", () =>
    Effect.gen(function* () {
      const failure = new ModelError({ model: "test/half", reason: new Unauthorized({ message: "no" }) })
      const { model } = yield* attempts([half, failure])
      const story = yield* events({ text: "Go", model, keepUnfinished: true })
      assert.strictEqual(finalError(story)._tag, "ModelError")
      const forest = yield* Forest.Forest
      assert.deepStrictEqual(yield* forest.subtree((yield* root).id), [])
    }).pipe(withScript([])),
  )

  it.effect("is stored below the tool results that it follows, without the text of the previous reply", () =>
    Effect.gen(function* () {
      const hangs = yield* Deferred.make<void>()
      const scripted = yield* Scripted.make([
        { text: "I look.", ...Scripted.calls(["echo", { text: "x" }]) },
        "It is x",
      ])
      let count = 0
      const part = ({ _tag }: Part) => {
        if (_tag !== "Finish" || ++count < 2) return Effect.void
        return Effect.zipRight(Deferred.succeed(hangs, undefined), Effect.never)
      }
      const { kept } = yield* aborted(
        { model: scripted, keepUnfinished: true, onEvent: TurnEvents.onPart(part) },
        hangs,
      )
      assert.deepStrictEqual(said(kept), [
        ["user", "Go"],
        ["assistant", "I look."],
        ["tool", '{"echo":"x"}'],
        ["assistant", "It is x"],
      ])
      assertWhole(kept.map(({ message }) => message))
    }).pipe(withScript([])),
  )

  it.effect("is stored where the stream is cancelled, even at the end of the reply", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const forest = yield* Forest.Forest
      const { id } = yield* root
      const run = engine.generateStream(id, { text: "Go", keepUnfinished: true })
      const last = yield* Stream.runLast(Stream.take(run, 2))
      assert.strictEqual(Option.getOrThrow(last).type, "provider_response")
      assert.deepStrictEqual(said(yield* forest.subtree(id)), [
        ["user", "Go"],
        ["assistant", "All of it"],
      ])
    }).pipe(withScript(["All of it"])),
  )

  it.effect("reports all stored nodes in order, also those after the stream is cancelled", () =>
    Effect.gen(function* () {
      const engine = yield* LoomEngine.LoomEngine
      const forest = yield* Forest.Forest
      const { id } = yield* root
      const stored: Array<Node> = []
      const onEvent = TurnEvents.onNode((node) => Effect.sync(() => stored.push(node)))
      const run = engine.generateStream(id, { text: "Go", tools, onEvent })
      yield* Stream.runDrain(Stream.takeUntil(run, ({ type }) => type === "assistant_node"))
      assert.deepStrictEqual(
        stored.map(({ message }) => message.role),
        ["user", "assistant", "tool"],
      )
      assert.deepStrictEqual(stored, yield* forest.subtree(id))
    }).pipe(withScript([Scripted.calls(["echo", { text: "x" }])])),
  )
})

describe("LoomEngine.generateStream: the context window", () => {
  const large = ToolRegistry.make([
    Tool.make({
      name: "large",
      description: "A long text.",
      parameters: Schema.Struct({ n: Schema.Number }),
      readOnly: true,
      run: ({ n }) => Effect.succeed(`${n} `.repeat(2500)),
    }),
  ])

  /** Reads a text of about 1,500 tokens six times, as a model with these limits, and then answers. */
  const reading = (limits: Limits | undefined) =>
    Effect.gen(function* () {
      const lengths: Array<number> = []
      const notices: Array<string> = []
      const model = yield* Scripted.make(({ messages }, index) => {
        lengths.push(messages.map(Message.text).join("").length)
        return index % 7 === 6 ? "done" : Scripted.calls(["large", { n: index % 7 }])
      })
      const onEvent = (event: TurnEvent) =>
        Effect.sync(() => {
          if (event._tag === "HistoryCompacted") notices.push(`${event.leftOut}: ${event.error.message}`)
        })
      const options = { tools: large, model: { ...model, limits }, maxToolIterations: 10, onEvent }
      const engine = yield* LoomEngine.LoomEngine
      const run = (text: string, from: NodeId) =>
        Effect.map(engine.generate(from, { ...options, text }), ([node]) => node?.id ?? assert.fail("no reply"))
      return { run, lengths, notices }
    })

  it.effect("leaves out old results before a request that is estimated to exceed it", () =>
    Effect.gen(function* () {
      const { lengths, notices, run } = yield* reading({ context: 8192, output: 8192 })
      const path = yield* stored(yield* run("Go", (yield* root).id))
      assert.lengthOf(notices, 1)
      assert.match(
        notices[0] ?? "",
        /^3: scripted\/test: the conversation comes to about 6\d{3} tokens, and 6144 fit beside the reply$/,
      )
      assert.isTrue(lengths.every((length) => length * 0.3 < 6144))
      // What the forest keeps is complete.
      const results = path.filter(({ role }) => role === "tool").map((message) => Message.text(message).length)
      assert.deepStrictEqual(results, [5000, 5000, 5000, 5000, 5000, 5000])
    }).pipe(withScript([])),
  )

  it.effect("leaves out the same results in the next run, which reads the path again", () =>
    Effect.gen(function* () {
      const { lengths, notices, run } = yield* reading({ context: 8192, output: 8192 })
      const last = yield* run("Go", (yield* root).id)
      yield* run("Once more", last)
      assert.isAtMost((lengths[7] ?? 0) - (lengths[6] ?? 0), "doneOnce more".length)
      assert.isAbove(notices.length, 1)
    }).pipe(withScript([])),
  )

  it.effect("is no concern while the conversation fits, or where it is not known", () =>
    Effect.gen(function* () {
      for (const limits of [{ context: 100_000, output: 8192 }, unknown, undefined]) {
        const { lengths, notices, run } = yield* reading(limits)
        yield* run("Go", (yield* root).id)
        assert.isEmpty(notices)
        assert.isAbove(lengths.at(-1) ?? 0, 30_000)
      }
    }).pipe(withScript([])),
  )
})

describe("LoomEngine.generateStream: what has come up meanwhile", () => {
  const notice = (text: string): Message.Notice => ({ role: "system", content: [Block.text(text)] })

  /** With the `n`th request: a notice that is kept, and a line that is not. */
  const counting = Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const count = yield* Ref.make(0)
    return (cursor: NodeId) =>
      Effect.gen(function* () {
        const n = yield* Ref.updateAndGet(count, (n) => n + 1)
        const draft = { message: notice(`kept ${n}`), source: { type: "notice" } } as const
        return { nodes: yield* forest.append(cursor, [draft]), trailing: [notice(`not kept ${n}`)] }
      })
  })

  it.effect("is called before each request, which has the stored messages and, last, those that are not stored", () =>
    Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools, meanwhile: yield* counting })
      const told = story.flatMap((event) => (event.type === "provider_request" ? [event.request.messages] : []))
      const path = yield* stored(finalNode(story).id)
      assert.deepStrictEqual(
        path.map((message) => [message.role, Message.text(message)]),
        [
          ["system", "kept 1"],
          ["user", "Go"],
          ["assistant", ""],
          ["tool", '{"echo":"x"}'],
          ["system", "kept 2"],
          ["assistant", "done"],
        ],
      )
      assert.deepStrictEqual(told, [
        [...path.slice(0, 2), notice("not kept 1")],
        [...path.slice(0, 5), notice("not kept 2")],
      ])
    }).pipe(withScript([Scripted.calls(["echo", { text: "x" }]), "done"])),
  )

  it.effect("is part of a compacted request, too", () => {
    const overflow = new ModelError({ model: "scripted/test", reason: new ContextOverflow({ message: "too long" }) })
    const asked: Array<ReadonlyArray<string>> = []
    const script: ReadonlyArray<Scripted.Line> = [
      Scripted.calls(["echo", { text: "long ".repeat(500) }]),
      overflow,
      Scripted.calls(["echo", { text: "x" }]),
      "done",
    ]
    return Effect.gen(function* () {
      const story = yield* events({ text: "Go", tools, meanwhile: yield* counting })
      assert.strictEqual(types(story).at(-1), "done")
      assert.deepStrictEqual(
        asked.map((texts) => texts.filter((text) => text.startsWith("not kept"))),
        [["not kept 1"], ["not kept 2"], ["not kept 2"], ["not kept 3"]],
      )
      // What was left out once stays left out.
      assert.isBelow(asked[3]?.join("").length ?? Number.POSITIVE_INFINITY, 1000)
    }).pipe(
      withScript(({ messages }, index) => {
        asked.push(messages.map(Message.text))
        return script[index] ?? "nothing more"
      }),
    )
  })

  it.effect("ends the run where it fails", () =>
    Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const story = yield* events({ text: "Go", meanwhile: () => Effect.as(forest.undo(nowhere), none) })
      assert.deepStrictEqual(types(story), ["error"])
      assert.strictEqual(finalError(story)._tag, "ForestError")
    }).pipe(withScript(["never said"])),
  )
})

const nowhere = NodeId.make("nowhere")
const none = { nodes: [], trailing: [] }
