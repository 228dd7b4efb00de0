import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Ref, Stream, TestClock } from "effect"
import type { GenerateEvent } from "../../src/agent/GenerateEvent.ts"
import type { GenerateOptions } from "../../src/agent/GenerateOptions.ts"
import * as LoomEngine from "../../src/agent/LoomEngine.ts"
import * as Forest from "../../src/forest/Forest.ts"
import * as Block from "../../src/message/Block.ts"
import * as Message from "../../src/message/Message.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import type { NodeId } from "../../src/message/NodeId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import { ModelError, Overloaded, Unauthorized } from "../../src/model/ModelError.ts"
import { Part } from "../../src/model/Reply.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { assertWhole, finalError, finalNode, stored, tools } from "../utils/LoomRuns.ts"
import { events, layerOf, root, types, withScript } from "../utils/Looms.ts"
import * as TurnEvents from "../utils/TurnEvents.ts"

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
