import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Stream, TestClock } from "effect"
import type { Sink } from "../../../src/agent/TurnEvent.ts"
import * as ChatEngine from "../../../src/conversation/engines/ChatEngine.ts"
import type { ChatEvent } from "../../../src/conversation/engines/ChatEvent.ts"
import { chunkText, statusText } from "../../../src/conversation/engines/ChatEvent.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import type { Draft } from "../../../src/forest/Node.ts"
import * as Block from "../../../src/message/Block.ts"
import * as Message from "../../../src/message/Message.ts"
import { ModelId } from "../../../src/message/ModelId.ts"
import { NodeId } from "../../../src/message/NodeId.ts"
import * as Usage from "../../../src/message/Usage.ts"
import * as AgentProgram from "../../../src/model/AgentProgram.ts"
import * as LanguageModel from "../../../src/model/LanguageModel.ts"
import { ModelError, Overloaded, ProgramFailed, Unauthorized } from "../../../src/model/ModelError.ts"
import { Part } from "../../../src/model/Reply.ts"
import type { Request } from "../../../src/model/Request.ts"
import * as Scripted from "../../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as SubmitPrd from "../../../src/toolbox/SubmitPrd.ts"
import { countedInto, layerOf, withScript } from "../../utils/Looms.ts"
import * as TurnEvents from "../../utils/TurnEvents.ts"

const { Stderr, Stdout } = AgentProgram.Output

const id = new ModelId({ provider: "cli", name: "test" })

const failure = (reason: ModelError["reason"]) => new ModelError({ model: String(id), reason })

/** Says this, whatever it is asked, and remembers how it was. */
const agentSaying = (say: (index: number) => Stream.Stream<AgentProgram.Output, ModelError>) => {
  const prompts: Array<string> = []
  const askings: Array<AgentProgram.Asking> = []
  const agent: AgentProgram.Service = {
    id,
    name: "test",
    format: "xml",
    abilities: { streams: true, readsFiles: false },
    ready: Effect.void,
    ask: (prompt, { cwd, flags, timeout } = {}) => {
      askings.push({ cwd, flags, timeout })
      return say(prompts.push(prompt) - 1)
    },
  }
  return { agent, prompts, askings }
}

const replies = (...texts: ReadonlyArray<string>) =>
  agentSaying((index) => Stream.make(Stdout({ text: texts[index] ?? "and so on" })))

const hanging = LanguageModel.make(new ModelId({ provider: "test", name: "hanging" }), () => Effect.never)

const chat = (agent: ChatEngine.Config["agent"], options: Partial<ChatEngine.Config> = {}) =>
  ChatEngine.make({ agent, systemPrompt: "S", ...options })

const say = (engine: ChatEngine.Service, content: string, options?: ChatEngine.SendOptions) =>
  Effect.map(Stream.runCollect(engine.sendMessage(content, options)), (events) => Array.from(events))

/** As the specification writes it: `idle→processing`. */
const told = (events: ReadonlyArray<ChatEvent>) =>
  events.map((event) =>
    event.type === "status:changed" ? `${event.previousStatus}→${event.newStatus}` : (event.type as string),
  )

const last = (events: ReadonlyArray<ChatEvent>) => events.at(-1) ?? assert.fail("nothing was told")

const contents = (engine: ChatEngine.Service) =>
  Effect.map(engine.history, (history) => history.map(({ content, role }) => `${role}: ${content}`))

const withKernel = withScript([])

const prd = "[PRD]\n# PRD: Dark Mode\n\nDark.\n[/PRD]"

const onChunk =
  (push: (text: string) => unknown, isAgent: boolean): Sink =>
  (event) =>
    Effect.sync(() => {
      const text = chunkText(event, isAgent)
      if (text !== undefined) push(text)
    })

const onStatus =
  (push: (text: string) => unknown): Sink =>
  (event) =>
    Effect.sync(() => {
      const text = statusText(event)
      if (text !== undefined) push(text)
    })

describe("ChatEngine", () => {
  it.effect("sends the first message after the system prompt, without a conversation", () =>
    Effect.gen(function* () {
      const { agent, prompts } = replies("Hi")
      const engine = yield* chat(agent)
      const built = yield* engine.buildPrompt("Hello")
      yield* say(engine, "Hello")
      assert.deepStrictEqual(prompts, ["<system>\nS\n</system>\n\nUser: Hello\nAssistant:"])
      assert.strictEqual(built, prompts[0])
    }).pipe(withKernel),
  )

  it.effect("sends the history, oldest first, and the new message once", () =>
    Effect.gen(function* () {
      const { agent, prompts } = replies("reply")
      const engine = yield* chat(agent)
      yield* say(engine, "first")
      const built = yield* engine.buildPrompt("second")
      yield* say(engine, "second")
      const conversation = "<conversation>\nUser: first\nAssistant: reply\n</conversation>"
      assert.strictEqual(prompts[1], `<system>\nS\n</system>\n\n${conversation}\n\nUser: second\nAssistant:`)
      assert.strictEqual(built, prompts[1])
    }).pipe(withKernel),
  )

  it.effect("sends at most the last messages of the history", () =>
    Effect.gen(function* () {
      for (const [maxHistoryMessages, conversation] of [
        [2, "<conversation>\nUser: Message 2\nAssistant: b\n</conversation>\n\n"],
        [1, "<conversation>\nAssistant: b\n</conversation>\n\n"],
        [0, ""],
      ] as const) {
        const { agent, prompts } = replies("a", "b")
        const engine = yield* chat(agent, { maxHistoryMessages })
        yield* say(engine, "Message 1")
        yield* say(engine, "Message 2")
        assert.include(prompts[1], maxHistoryMessages === 0 ? "S" : "Assistant: a")
        const built = yield* engine.buildPrompt("Message 3")
        yield* say(engine, "Message 3")
        assert.strictEqual(prompts[2], `<system>\nS\n</system>\n\n${conversation}User: Message 3\nAssistant:`)
        assert.strictEqual(built, prompts[2])
      }
    }).pipe(withKernel),
  )

  it.effect("sends fifty messages by default", () =>
    Effect.gen(function* () {
      const { agent, prompts } = replies()
      const first = yield* chat(agent)
      yield* say(first, "Message 1.")
      const forest = yield* Forest.Forest
      const reply = { type: "model", model: "cli/test", finish: "stop", usage: Usage.none } as const
      const nodes = yield* forest.append(
        (yield* first.cursor) ?? assert.fail(),
        Array.from({ length: 48 }, (_, at) =>
          at % 2 === 0
            ? { message: Message.user(`Message ${at / 2 + 2}.`), source: { type: "user" } }
            : { message: { role: "assistant", content: [Block.text("Yes.")] }, source: reply },
        ),
      )
      const engine = yield* chat(agent, { from: nodes.at(-1)?.id })
      yield* say(engine, "Message 26.")
      yield* say(engine, "Message 27.")
      assert.include(prompts[1], "User: Message 1.")
      assert.notInclude(prompts[2], "User: Message 1.")
      assert.include(prompts[2], "User: Message 2.")
    }).pipe(withKernel),
  )

  it.effect("emits the events of an answered message in order", () =>
    Effect.gen(function* () {
      const { agent } = agentSaying(() => Stream.fromEffect(Effect.delay(Effect.succeed(Stdout({ text: "Hi" })), 1500)))
      const engine = yield* chat(agent)
      yield* TestClock.setTime(1000)
      const fiber = yield* Effect.fork(say(engine, "Hello"))
      yield* TestClock.adjust("2 seconds")
      const sent = { role: "user", content: "Hello", timestamp: new Date(1000), metadata: { node: "n-1" } } as const
      const metadata = { node: "n-2", model: "cli/test" }
      const received = { role: "assistant", content: "Hi", timestamp: new Date(2500), metadata } as const
      const [start, end] = [new Date(1000), new Date(2500)]
      assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* Fiber.join(fiber), [
        { type: "message:sent", message: sent, timestamp: start },
        { type: "status:changed", previousStatus: "idle", newStatus: "processing", timestamp: start },
        { type: "message:received", message: received, durationMs: 1500, timestamp: end },
        { type: "status:changed", previousStatus: "processing", newStatus: "idle", timestamp: end },
      ])
      assert.deepStrictEqual(yield* engine.history, [sent, received])
      assert.strictEqual(yield* engine.status, "idle")
    }).pipe(withKernel),
  )

  it.effect("emits a detected PRD last, is completed, and can continue", () =>
    Effect.gen(function* () {
      const { agent } = replies(`Here:\n${prd}`, "Sure.")
      const engine = yield* chat(agent)
      const events = yield* say(engine, "Go")
      assert.deepStrictEqual(told(events), [
        "message:sent",
        "idle→processing",
        "message:received",
        "processing→completed",
        "prd:detected",
      ])
      assert.deepInclude(last(events), { prdContent: "# PRD: Dark Mode\n\nDark.", featureName: "Dark Mode" })
      assert.strictEqual(yield* engine.status, "completed")
      assert.deepStrictEqual(told(yield* say(engine, "Thanks")).slice(1), [
        "completed→processing",
        "message:received",
        "processing→idle",
      ])
    }).pipe(withKernel),
  )

  it.effect("detects a PRD in answers, not in messages of the user", () =>
    Effect.gen(function* () {
      const engine = yield* chat(replies("No.").agent)
      assert.notInclude(told(yield* say(engine, prd)), "prd:detected")
    }).pipe(withKernel),
  )

  it.effect("reports a failure, keeps the message, and can answer it again", () =>
    Effect.gen(function* () {
      const { agent, prompts } = agentSaying((index) =>
        index === 0
          ? Stream.fail(failure(new ProgramFailed({ message: "it broke" })))
          : Stream.make(Stdout({ text: "Yes" })),
      )
      const engine = yield* chat(agent)
      const events = yield* say(engine, "first")
      assert.deepStrictEqual(told(events), ["message:sent", "idle→processing", "processing→error", "error:occurred"])
      assert.deepInclude(last(events), { error: "it broke", durationMs: 0 })
      assert.strictEqual(yield* engine.status, "error")
      assert.deepStrictEqual(yield* contents(engine), ["user: first"])
      const built = yield* engine.buildPrompt("second")
      assert.strictEqual(told(yield* say(engine, "second"))[1], "error→processing")
      assert.deepStrictEqual(yield* contents(engine), ["user: first", "user: second", "assistant: Yes"])
      assert.include(
        prompts[1],
        "<conversation>\nUser: first\nSystem: [The message above was not answered.]\n</conversation>",
      )
      assert.include(prompts[1], "\n\nUser: second\nAssistant:")
      assert.strictEqual(built, prompts[1])
    }).pipe(withKernel),
  )

  it.effect("stores a message once that is sent again without an answer", () =>
    Effect.gen(function* () {
      const { agent, prompts } = agentSaying((index) =>
        index === 0
          ? Stream.fail(failure(new ProgramFailed({ message: "it broke" })))
          : Stream.make(Stdout({ text: "Yes" })),
      )
      const engine = yield* chat(agent)
      yield* say(engine, "first")
      assert.strictEqual(yield* engine.buildPrompt("first"), prompts[0])
      yield* say(engine, "first")
      assert.deepStrictEqual(yield* contents(engine), ["user: first", "assistant: Yes"])
      assert.strictEqual(prompts[1], prompts[0])
    }).pipe(withKernel),
  )

  it.effect("refuses a second message while it answers one, without an event", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const { agent, prompts } = agentSaying(() =>
        Stream.fromEffect(
          Deferred.succeed(begun, undefined).pipe(
            Effect.zipRight(Deferred.await(go)),
            Effect.as(Stdout({ text: "Hi" })),
          ),
        ),
      )
      const engine = yield* chat(agent)
      const fiber = yield* Effect.fork(say(engine, "one"))
      yield* Deferred.await(begun)
      assert.strictEqual(yield* engine.status, "processing")
      const heard: Array<ChatEvent> = []
      const error = yield* Effect.flip(
        Stream.runForEach(engine.sendMessage("two"), (event) => Effect.sync(() => heard.push(event))),
      )
      assert.strictEqual(error.reason._tag, "SessionBusy")
      assert.deepStrictEqual(heard, [])
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(yield* contents(engine), ["user: one", "assistant: Hi"])
      assert.lengthOf(prompts, 1)
    }).pipe(withKernel),
  )

  it.effect("refuses a blank message, first or later", () =>
    Effect.gen(function* () {
      const { agent, prompts } = replies("Hi")
      const engine = yield* chat(agent)
      for (const history of [[], ["user: Hello", "assistant: Hi"]]) {
        assert.deepStrictEqual(yield* contents(engine), history)
        assert.strictEqual((yield* Effect.flip(say(engine, " \n"))).reason._tag, "BlankMessage")
        assert.strictEqual(yield* engine.status, "idle")
        yield* say(engine, "Hello")
      }
      assert.lengthOf(prompts, 2)
    }).pipe(withKernel),
  )

  it.effect("passes on text as it arrives, and stores only that of stdout", () =>
    Effect.gen(function* () {
      const outputs = [Stdout({ text: " a" }), Stderr({ text: "(hm)" }), Stdout({ text: "b \n" })]
      const engine = yield* chat(agentSaying(() => Stream.fromIterable(outputs)).agent)
      const chunks: Array<string> = []
      yield* say(engine, "Go", {
        onEvent: onChunk((text) => chunks.push(text), true),
      })
      assert.deepStrictEqual(chunks, [" a", "(hm)", "b \n"])
      assert.deepStrictEqual(yield* contents(engine), ["user: Go", "assistant: ab"])
    }).pipe(withKernel),
  )

  it.effect("times out after three minutes, stops the agent, and can answer again", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const { agent, askings } = agentSaying((index) =>
        index > 0
          ? Stream.make(Stdout({ text: "Hi" }))
          : Stream.fromEffect(Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never)).pipe(
              Stream.ensuring(Deferred.succeed(stopped, undefined)),
            ),
      )
      const engine = yield* chat(agent)
      const fiber = yield* Effect.fork(say(engine, "Hello"))
      yield* Deferred.await(asked)
      yield* TestClock.adjust("179 seconds")
      assert.strictEqual((yield* Fiber.poll(fiber))._tag, "None")
      yield* TestClock.adjust("1 second")
      const events = yield* Fiber.join(fiber)
      yield* Deferred.await(stopped)
      assert.deepInclude(last(events), { error: "the answer had not ended after 3m", durationMs: 180_000 })
      assert.strictEqual(yield* engine.status, "error")
      assert.deepStrictEqual(askings[0]?.timeout, Duration.minutes(3))
      assert.include(told(yield* say(engine, "Hello")), "message:received")
    }).pipe(withKernel),
  )

  it.effect("has no time limit where the timeout is zero", () =>
    Effect.gen(function* () {
      const engine = yield* chat(hanging, { timeout: 0 })
      const fiber = yield* Effect.fork(say(engine, "Hello"))
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* Fiber.poll(fiber))._tag, "None")
      yield* Fiber.interrupt(fiber)
    }).pipe(withKernel),
  )

  it.effect("runs an agent in its folder, with its flags", () =>
    Effect.gen(function* () {
      const { agent, askings } = replies()
      yield* say(yield* chat(agent, { cwd: "/project", flags: ["--model", "opus"], timeout: "1 minute" }), "Hello")
      yield* say(yield* chat(agent), "Hello")
      assert.deepStrictEqual(askings, [
        { cwd: "/project", flags: ["--model", "opus"], timeout: Duration.minutes(1) },
        { cwd: undefined, flags: undefined, timeout: Duration.minutes(3) },
      ])
    }).pipe(withKernel),
  )

  it.effect("reset stops the answer in progress: a late reply is not added", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const { agent, prompts } = agentSaying((index) =>
        index === 1
          ? Stream.fromEffect(Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never))
          : Stream.make(Stdout({ text: "Hi" })),
      )
      const engine = yield* chat(agent)
      yield* say(engine, "one")
      const fiber = yield* Effect.fork(say(engine, "two"))
      yield* Deferred.await(asked)
      assert.deepInclude(yield* engine.reset, { previousStatus: "processing", newStatus: "idle" })
      assert.deepStrictEqual(told(yield* Fiber.join(fiber)), ["message:sent", "idle→processing"])
      assert.deepStrictEqual(yield* engine.history, [])
      assert.strictEqual(yield* engine.status, "idle")
      yield* say(engine, "three")
      assert.strictEqual(prompts[2], "<system>\nS\n</system>\n\nUser: three\nAssistant:")
      assert.deepStrictEqual(yield* contents(engine), ["user: three", "assistant: Hi"])
    }).pipe(withKernel),
  )

  it.effect("is idle again after its stream is cancelled, and keeps the message", () =>
    Effect.gen(function* () {
      const engine = yield* chat(hanging)
      yield* engine.sendMessage("Hello").pipe(Stream.take(2), Stream.runDrain)
      assert.strictEqual(yield* engine.status, "idle")
      assert.deepStrictEqual(yield* contents(engine), ["user: Hello"])
    }).pipe(withKernel),
  )

  /** Emits these words of an answer, and never more; reports when it has. */
  const half = (words: string) =>
    Effect.map(Deferred.make<void>(), (heard) => ({
      heard,
      model: LanguageModel.make(new ModelId({ provider: "test", name: "half" }), ({ messages }, say) => {
        const isFirst = messages.length === 1
        const parts = [Part.Text({ text: isFirst ? words : "All of it." })]
        if (!isFirst) return say([...parts, Part.Finish({ reason: "stop", usage: Usage.none })])
        return say(parts).pipe(Effect.zipRight(Deferred.succeed(heard, undefined)), Effect.zipRight(Effect.never))
      }),
    }))

  it.effect("stores the text of a cancelled answer, and continues after it", () =>
    Effect.gen(function* () {
      const { heard, model } = yield* half("Half of")
      const engine = yield* chat(model)
      const fiber = yield* Effect.fork(say(engine, "Hello"))
      yield* Deferred.await(heard)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* engine.status, "idle")
      assert.deepStrictEqual(yield* contents(engine), ["user: Hello", "assistant: Half of"])
      const forest = yield* Forest.Forest
      const { source } = yield* forest.node(yield* engine.cursor)
      assert.deepStrictEqual(source, { type: "model", model: "test/half", finish: "interrupted", usage: Usage.none })
      yield* say(engine, "Hello")
      assert.deepStrictEqual((yield* contents(engine)).slice(2), ["user: Hello", "assistant: All of it."])
    }).pipe(withKernel),
  )

  it.effect("stores it too where a signal, the time limit or a reset stops the answer", () =>
    Effect.gen(function* () {
      const stops: ReadonlyArray<(engine: ChatEngine.Service, controller: AbortController) => Effect.Effect<unknown>> =
        [
          (_, controller) => Effect.sync(() => controller.abort("enough")),
          () => TestClock.adjust("3 minutes"),
          (engine) => engine.reset,
        ]
      for (const [index, stop] of stops.entries()) {
        const controller = new AbortController()
        const { heard, model } = yield* half(`Half ${index}`)
        const engine = yield* chat(model)
        const fiber = yield* Effect.fork(say(engine, "Hello", { signal: controller.signal }))
        yield* Deferred.await(heard)
        yield* stop(engine, controller)
        yield* Fiber.join(fiber)
        const isReset = index === 2
        assert.strictEqual(yield* engine.status, isReset ? "idle" : "error")
        assert.deepStrictEqual(yield* contents(engine), isReset ? [] : ["user: Hello", `assistant: Half ${index}`])
        const forest = yield* Forest.Forest
        assert.lengthOf(yield* forest.search({ text: `Half ${index}` }), 1)
      }
    }).pipe(withKernel),
  )

  it.effect("sends the same message again where the answer had no text", () =>
    Effect.gen(function* () {
      const engine = yield* chat(hanging)
      for (const _ of [1, 2]) {
        const fiber = yield* Effect.fork(say(engine, "Hello"))
        yield* TestClock.adjust("1 second")
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* contents(engine), ["user: Hello"])
      }
    }).pipe(withKernel),
  )

  it.effect("detects only a complete PRD in an interrupted answer", () =>
    Effect.gen(function* () {
      for (const [words, found] of [
        [`${prd}\nAnd`, 1],
        [prd, 1],
        ["# PRD: Dark Mode\n\nDark and", 0],
        ["[PRD]\n# PRD: Dark Mode\n\nDark and", 0],
      ] as const) {
        const { heard, model } = yield* half(words)
        const engine = yield* chat(model)
        const fiber = yield* Effect.fork(say(engine, "Go"))
        yield* Deferred.await(heard)
        yield* Fiber.interrupt(fiber)
        assert.lengthOf(yield* engine.versions, found, words)
      }
    }).pipe(withKernel),
  )

  it.effect("reports an error for a message whose signal is aborted", () =>
    Effect.gen(function* () {
      const engine = yield* chat(hanging)
      const events = yield* say(engine, "Hello", { signal: AbortSignal.abort("enough") })
      assert.deepInclude(last(events), { type: "error:occurred", error: "Generation aborted: enough" })
    }).pipe(withKernel),
  )

  it.effect("sends messages rather than a prompt to a model, and offers it tools", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const model = yield* Scripted.make((request) => {
        requests.push(request)
        return "Hi"
      })
      const engine = yield* chat(model, { tools: ToolRegistry.make([SubmitPrd.make]) })
      const chunks: Array<string> = []
      yield* say(engine, "one", { onEvent: onChunk((text) => chunks.push(text), false) })
      yield* say(engine, "two")
      assert.deepStrictEqual(chunks, ["Hi"])
      assert.strictEqual(engine.agentName, "scripted/test")
      assert.strictEqual(requests[1]?.system, "S")
      assert.deepStrictEqual(requests[1]?.messages.map(Message.text), ["one", "Hi", "two"])
      assert.deepStrictEqual(
        requests[1]?.tools.map(({ name }) => name),
        ["submit_prd"],
      )
    }).pipe(withKernel),
  )

  it.effect("reports a submitted PRD at the end of the turn", () =>
    Effect.gen(function* () {
      const content = "# PRD: Dark Mode\n\n### US-001: A switch\n\n- [ ] it is there"
      const model = yield* Scripted.make([
        Scripted.calls(["submit_prd", { name: "Dark Mode", content: "no stories" }]),
        Scripted.calls(["submit_prd", { name: "Dark Mode", content: `${content}\n` }]),
        "That is it.",
      ])
      const engine = yield* chat(model, { tools: ToolRegistry.make([SubmitPrd.make]) })
      const statuses: Array<string> = []
      const onEvent = onStatus((text) => statuses.push(text))
      const events = yield* say(engine, "Go", { onEvent })
      assert.deepStrictEqual(told(events), [
        "message:sent",
        "idle→processing",
        "message:received",
        "processing→completed",
        "prd:detected",
      ])
      assert.deepInclude(last(events), { prdContent: content, featureName: "Dark Mode" })
      assert.deepStrictEqual(yield* contents(engine), ["user: Go", "assistant: That is it."])
      assert.deepStrictEqual(
        events.flatMap((event) => statusText(event) ?? []),
        ["Sending to agent..."],
      )
      assert.deepStrictEqual(statuses, ["Running submit_prd...", "Running submit_prd..."])
    }).pipe(withKernel),
  )

  it.effect("ignores a PRD whose submission failed", () =>
    Effect.gen(function* () {
      const refused = Scripted.calls(["submit_prd", { name: "Dark Mode", content: "no stories" }])
      const engine = yield* chat(yield* Scripted.make([refused, "Oh."]), { tools: ToolRegistry.make([SubmitPrd.make]) })
      assert.strictEqual(told(yield* say(engine, "Go")).at(-1), "processing→idle")
      assert.deepStrictEqual(yield* engine.versions, [])
    }).pipe(withKernel),
  )

  it.effect("detects a PRD between markers also from a model with the tool", () =>
    Effect.gen(function* () {
      const engine = yield* chat(yield* Scripted.make([prd]), { tools: ToolRegistry.make([SubmitPrd.make]) })
      assert.deepInclude(last(yield* say(engine, "Go")), { type: "prd:detected", featureName: "Dark Mode" })
    }).pipe(withKernel),
  )

  it.effect("has a version for each changed PRD of the conversation", () =>
    Effect.gen(function* () {
      const other = "[PRD]\n# PRD: Dark Mode\n\nDarker.\n[/PRD]"
      const engine = yield* chat(replies(prd, "Really?", other, other).agent)
      for (const content of ["a", "b", "c", "d"]) yield* say(engine, content)
      const versions = yield* engine.versions
      assert.deepStrictEqual(
        versions.map(({ number, prd }) => [number, prd.name, prd.content]),
        [
          [1, "Dark Mode", "# PRD: Dark Mode\n\nDark."],
          [2, "Dark Mode", "# PRD: Dark Mode\n\nDarker."],
        ],
      )
    }).pipe(withKernel),
  )

  it.effect("reports a retry as a status", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make([failure(new Overloaded({ message: "busy" })), "Hi"])
      const engine = yield* chat(model)
      const statuses: Array<string> = []
      const onEvent = onStatus((text) => statuses.push(text))
      const fiber = yield* Effect.fork(say(engine, "Hello", { onEvent }))
      yield* TestClock.adjust("2 seconds")
      assert.include(told(yield* Fiber.join(fiber)), "message:received")
      assert.deepStrictEqual(statuses, ["Asking again in 2s: busy"])
    }).pipe(withKernel),
  )

  it.effect("describes an error without the name of the model", () =>
    Effect.gen(function* () {
      const engine = yield* chat(yield* Scripted.make([failure(new Unauthorized({ message: "no key" }))]))
      assert.deepInclude(last(yield* say(engine, "Hello")), { error: "no key" })
    }).pipe(withKernel),
  )

  it.effect("continues after any node, with the system prompt of its tree", () =>
    Effect.gen(function* () {
      const { agent, prompts } = replies("a", "b", "c")
      const first = yield* chat(agent)
      yield* say(first, "one")
      const from = yield* first.cursor
      yield* say(first, "two")
      const second = yield* chat(agent, { systemPrompt: "another", from })
      assert.deepStrictEqual(yield* contents(second), ["user: one", "assistant: a"])
      yield* say(second, "three")
      assert.include(prompts[2], "<system>\nS\n</system>")
      assert.deepStrictEqual(yield* contents(second), ["user: one", "assistant: a", "user: three", "assistant: c"])
      assert.deepStrictEqual((yield* contents(first)).slice(2), ["user: two", "assistant: b"])
      yield* second.reset
      const third = yield* chat(agent, { systemPrompt: "another", from: yield* second.cursor })
      assert.deepStrictEqual(yield* contents(third), [])
      assert.include(yield* third.buildPrompt("four"), "<system>\nS\n</system>\n\nUser: four")
    }).pipe(withKernel),
  )

  it.effect("reads no more of a long conversation than it sends", () => {
    const reads: Array<number> = []
    return Effect.gen(function* () {
      const forest = yield* Forest.Forest
      const { id } = yield* forest.root({ owner: "chat", systemPrompt: "S" })
      const said = Array.from(
        { length: 500 },
        (_, n): Draft => ({ message: Message.user(`${n}`), source: { type: "user" } }),
      )
      const nodes = yield* forest.append(id, said)
      const { agent, prompts } = replies("a")
      const engine = yield* chat(agent, { from: nodes.at(-1)?.id, maxHistoryMessages: 4 })
      const built = yield* engine.buildPrompt("Go")
      yield* say(engine, "Go")
      assert.strictEqual(built, prompts[0])
      assert.deepStrictEqual(reads, [0, 6, 1, 6])
    }).pipe(Effect.provide(layerOf(Scripted.layer([]), countedInto(reads))))
  })

  it.effect("fails where the node to continue after is missing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(chat(hanging, { from: NodeId.make("nowhere") }))
      assert.strictEqual(error.message, "Node not found: nowhere")
    }).pipe(withKernel),
  )

  it.effect("refuses a message that cannot be stored, without a change of state", () =>
    Effect.gen(function* () {
      const { agent, prompts } = replies("Hi")
      const engine = yield* chat(agent)
      yield* say(engine, "Hello")
      const forest = yield* Forest.Forest
      yield* forest.remove(yield* engine.cursor, "cascade")
      assert.strictEqual((yield* Effect.flip(say(engine, "Lost?"))).reason._tag, "NotFound")
      assert.strictEqual(yield* engine.status, "idle")
      yield* engine.reset
      yield* say(engine, "Hello")
      assert.lengthOf(prompts, 2)
    }).pipe(withKernel),
  )

  it.effect("separates conversations that begin with the same message", () =>
    Effect.gen(function* () {
      const engines = [yield* chat(replies("a").agent), yield* chat(replies("b").agent)]
      for (const engine of engines) yield* say(engine, "Hello")
      const forest = yield* Forest.Forest
      const [root] = yield* forest.roots("chat")
      assert.lengthOf(yield* forest.children(root?.id ?? assert.fail("no tree")), 2)
    }).pipe(withKernel),
  )

  it.effect("sends the user's messages of the meantime with the results of tools", () =>
    Effect.gen(function* () {
      const requests: Array<Request> = []
      const calling = Scripted.calls(["submit_prd", { name: "Dark Mode", content: "no stories" }])
      const scripted = yield* Scripted.make([calling, "Bright, then."])
      const model = {
        ...scripted,
        generate: (...asked: Parameters<typeof scripted.generate>) =>
          Effect.zipRight(
            Effect.sync(() => requests.push(asked[0])),
            scripted.generate(...asked),
          ),
      }
      const engine = yield* chat(model, { tools: ToolRegistry.make([SubmitPrd.make]) })
      const meanwhile = Effect.sync(() => (requests.length === 1 ? "not dark, but bright" : " "))
      const events = yield* say(engine, "Go", { meanwhile })
      const { messages } = requests[1] ?? assert.fail("it was asked once")
      assert.deepStrictEqual(
        messages.map(({ role }) => role),
        ["user", "assistant", "tool", "user"],
      )
      assert.deepStrictEqual(messages.at(-1), Message.user("not dark, but bright"))
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "message:sent" ? [event.message.content] : [])),
        ["Go", "not dark, but bright"],
      )
      assert.deepStrictEqual(yield* contents(engine), [
        "user: Go",
        "user: not dark, but bright",
        "assistant: Bright, then.",
      ])
    }).pipe(withKernel),
  )

  it.effect("continues below the tool results of a stopped turn", () =>
    Effect.gen(function* () {
      const model = yield* Scripted.make([Scripted.calls(["submit_prd", {}]), "Hi"])
      const engine = yield* chat(model, { tools: ToolRegistry.make([SubmitPrd.make]) })
      const stop = new AbortController()
      const toolStarted = () =>
        Effect.zipRight(
          Effect.sync(() => stop.abort("enough")),
          Effect.never,
        )
      yield* say(engine, "Go", { signal: stop.signal, onEvent: TurnEvents.onToolStarted(toolStarted) })
      yield* say(engine, "Go on")
      const forest = yield* Forest.Forest
      const { nodes } = yield* forest.path(yield* engine.cursor)
      assert.deepStrictEqual(
        nodes.map(({ message }) => message.role),
        ["user", "assistant", "tool", "user", "assistant"],
      )
    }).pipe(withKernel),
  )
})
