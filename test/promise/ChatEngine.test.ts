import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, ManagedRuntime, TestClock, TestContext } from "effect"
import * as Engine from "../../src/conversation/engines/ChatEngine.ts"
import type { ChatEvent } from "../../src/conversation/engines/ChatEvent.ts"
import { PRD_SYSTEM_PROMPT } from "../../src/conversation/prd/Prd.ts"
import * as Message from "../../src/message/Message.ts"
import type { Request } from "../../src/model/Request.ts"
import * as AgentPlugin from "../../src/promise/AgentPlugin.ts"
import { ChatEngine, type ChatEngineConfig, createPrdChatEngine } from "../../src/promise/ChatEngine.ts"
import * as CliAgent from "../../src/provider/agents/CliAgent.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as SubmitPrd from "../../src/toolbox/SubmitPrd.ts"
import { layerOf, withScript } from "../utils/Looms.ts"

type Result = Partial<AgentPlugin.AgentExecutionResult>

type Answer = (options: AgentPlugin.AgentExecuteOptions) => Result | Promise<Result>

/** Answers in order, and remembers how it was asked and how often it was interrupted. */
const pluginSaying = (...answers: ReadonlyArray<Answer>) => {
  const asked: Array<{ readonly prompt: string; readonly options: AgentPlugin.AgentExecuteOptions }> = []
  const seen = { interrupted: 0 }
  const agent: AgentPlugin.AgentPlugin = {
    meta: { name: "Mock Agent", id: "mock" },
    execute: (prompt, _files, options = {}) => {
      const answer = answers[asked.push({ prompt, options }) - 1] ?? (() => ({ stdout: "and so on" }))
      const promise = Promise.resolve(answer(options)).then((result) => ({
        executionId: "e",
        status: "completed" as const,
        stdout: "",
        stderr: "",
        durationMs: 1,
        ...result,
      }))
      return { executionId: "e", promise, isRunning: () => true, interrupt: () => seen.interrupted++ }
    },
  }
  return { agent, asked, seen }
}

const replies = (...texts: ReadonlyArray<string>) => pluginSaying(...texts.map((stdout) => () => ({ stdout })))

const chat = (agent: AgentPlugin.AgentPlugin, options: Partial<ChatEngineConfig> = {}) => {
  const engine = new ChatEngine({ agent, systemPrompt: "S", ...options })
  const events: Array<ChatEvent> = []
  engine.on((event) => events.push(event))
  const types = () => events.map(({ type }) => type)
  return { engine, events, types }
}

const contents = (engine: ChatEngine) => engine.getHistory().map(({ content, role }) => `${role}: ${content}`)

const prd = "[PRD]\n# PRD: Dark Mode\n\nDark.\n[/PRD]"

describe("ChatEngine for code without Effect", () => {
  it("runs the plugin with the prompt, the folder, three minutes and its options", async () => {
    const { agent, asked } = replies("Hi")
    const { engine } = chat(agent, { agentOptions: { env: { A: "1" }, flags: ["--fast"] } })
    const built = engine.buildPrompt("Hello")
    await engine.sendMessage("Hello")
    assert.strictEqual(asked[0]?.prompt, "<system>\nS\n</system>\n\nUser: Hello\nAssistant:")
    assert.strictEqual(built, asked[0]?.prompt)
    const { cwd, env, flags, timeout } = asked[0]?.options ?? {}
    assert.deepStrictEqual([cwd, env, flags, timeout], [process.cwd(), { A: "1" }, ["--fast"], 180_000])
  })

  it("runs the plugin in the folder and with the time limit of its own options rather than the engine's", async () => {
    const { agent, asked } = replies("Hi")
    const agentOptions = { cwd: "/agent", timeout: 5000 }
    await chat(agent, { agentOptions, cwd: "/engine", timeout: 1000 }).engine.sendMessage("Hello")
    await chat(agent, { cwd: "/engine", timeout: 1000 }).engine.sendMessage("Hello")
    assert.deepStrictEqual(
      asked.map(({ options: { cwd, timeout } }) => [cwd, timeout]),
      [
        ["/agent", 5000],
        ["/engine", 1000],
      ],
    )
  })

  it.each([-1, Number.NaN, 2.5, Number.NEGATIVE_INFINITY])("refuses a history of %s messages", (maxHistoryMessages) => {
    const refused = `maxHistoryMessages must be a whole number from 0, and is ${maxHistoryMessages}`
    assert.throws(() => chat(replies("Hi").agent, { maxHistoryMessages }), refused)
  })

  it.each([0, -1, 1.5, Number.NaN])("refuses %s rounds of tool calls", (maxToolIterations) => {
    const agent = Scripted.unsafeMake([])
    assert.throws(
      () => Effect.runSync(Engine.make({ agent, systemPrompt: "", maxToolIterations }).pipe(withScript([]))),
      `maxToolIterations must be a whole number from 1, and is ${maxToolIterations}`,
    )
    assert.throws(
      () => chat(replies("Hi").agent, { timeout: Number.NaN }),
      "timeout must be a number from 0, and is NaN",
    )
  })

  it("returns the answer, and emits its events to listeners", async () => {
    const { engine, events, types } = chat(replies(" Hi \n").agent)
    const result = await engine.sendMessage("Hello")
    assert.isTrue(result.success)
    assert.strictEqual(result.response?.content, "Hi")
    assert.instanceOf(result.response?.timestamp, Date)
    assert.isNumber(result.durationMs)
    assert.notProperty(result, "error")
    assert.deepStrictEqual(types(), ["message:sent", "status:changed", "message:received", "status:changed"])
    for (const { timestamp } of events) assert.instanceOf(timestamp, Date)
    assert.deepStrictEqual(contents(engine), ["user: Hello", "assistant: Hi"])
  })

  it("is processing, and has the message, as soon as sendMessage returns", async () => {
    const { engine } = chat(replies("Hi").agent)
    assert.strictEqual(engine.getStatus(), "idle")
    const result = engine.sendMessage("Hello")
    assert.strictEqual(engine.getStatus(), "processing")
    assert.deepStrictEqual(contents(engine), ["user: Hello"])
    await result
    assert.strictEqual(engine.getStatus(), "idle")
  })

  it("refuses a second message while it answers one", async () => {
    const { agent, asked } = replies("Hi")
    const { engine, types } = chat(agent)
    const first = engine.sendMessage("one")
    const second = await engine.sendMessage("two")
    assert.deepStrictEqual(second, { success: false, error: "Already processing a message. Please wait." })
    await first
    assert.deepStrictEqual(contents(engine), ["user: one", "assistant: Hi"])
    assert.lengthOf(types(), 4)
    assert.lengthOf(asked, 1)
  })

  it("refuses a blank message", async () => {
    const { engine, types } = chat(replies().agent)
    assert.deepStrictEqual(await engine.sendMessage(" "), { success: false, error: "the message is blank" })
    assert.deepStrictEqual(types(), [])
  })

  it.each<readonly [why: string, answer: Answer, error: string]>([
    ["fails and says why", () => ({ status: "failed", error: "it broke" }), "it broke"],
    ["fails with a message on stderr", () => ({ status: "failed", stderr: " no key\n" }), "no key"],
    ["fails without a word", () => ({ status: "failed" }), "Execution failed"],
    ["takes too long", () => ({ status: "timeout" }), "Execution timeout"],
    ["is interrupted", () => ({ status: "interrupted" }), "Execution interrupted"],
    ["rejects", () => Promise.reject(new Error("boom")), "boom"],
    [
      "throws",
      () => {
        throw new Error("bang")
      },
      "bang",
    ],
  ])("returns the failure of an agent that %s, and can be asked again", async (_, answer, error) => {
    const { agent, asked, seen } = pluginSaying(answer, () => ({ stdout: "Hi" }))
    const { engine, types } = chat(agent)
    const result = await engine.sendMessage("Hello")
    assert.deepInclude(result, { success: false, error })
    assert.isNumber(result.durationMs)
    assert.strictEqual(engine.getStatus(), "error")
    assert.deepStrictEqual(types(), ["message:sent", "status:changed", "status:changed", "error:occurred"])
    assert.deepStrictEqual(contents(engine), ["user: Hello"])
    assert.deepInclude(await engine.sendMessage("Again"), { success: true })
    assert.lengthOf(asked, 2)
    assert.strictEqual(seen.interrupted, 0)
  })

  it("passes on chunks of both channels, of which only stdout is the answer", async () => {
    const { agent } = pluginSaying(({ onStderr, onStdout }) => {
      onStdout?.("a")
      onStderr?.("(hm)")
      onStdout?.("b ")
      return { stdout: "not this" }
    })
    const { engine } = chat(agent)
    const chunks: Array<string> = []
    const statuses: Array<string> = []
    const result = await engine.sendMessage("Go", {
      onChunk: (chunk) => chunks.push(chunk),
      onStatus: (status) => statuses.push(status),
    })
    assert.deepStrictEqual(chunks, ["a", "(hm)", "b "])
    assert.deepStrictEqual(statuses, ["Sending to agent..."])
    assert.strictEqual(result.response?.content, "ab")
  })

  it("takes what the agent has said in the end where it has streamed nothing", async () => {
    const { engine } = chat(replies("  whole ").agent)
    assert.strictEqual((await engine.sendMessage("Go")).response?.content, "whole")
  })

  it("gives copies of its history", async () => {
    const { engine } = chat(replies("Hi").agent)
    await engine.sendMessage("Hello")
    engine.getHistory().pop()
    engine.getHistory()[0]?.timestamp.setTime(0)
    assert.deepStrictEqual(contents(engine), ["user: Hello", "assistant: Hi"])
    assert.notStrictEqual(engine.getHistory()[0]?.timestamp.getTime(), 0)
  })

  it("sends nothing after an unsubscription, and goes on where a listener throws", async () => {
    const { engine, types } = chat(replies("Hi").agent)
    const gone: Array<ChatEvent> = []
    const unsubscribe = engine.on((event) => gone.push(event))
    unsubscribe()
    const later: Array<ChatEvent> = []
    const broken = () => {
      throw new Error("listener")
    }
    engine.on(broken)
    engine.on((event) => later.push(event))
    assert.isTrue((await engine.sendMessage("Hello", { onChunk: broken, onStatus: broken })).success)
    assert.deepStrictEqual(gone, [])
    assert.lengthOf(types(), 4)
    assert.lengthOf(later, 4)
  })

  it("begins anew, and says so even where it was idle", async () => {
    const { engine, events } = chat(replies("Hi").agent)
    await engine.sendMessage("Hello")
    engine.reset()
    assert.deepStrictEqual(engine.getHistory(), [])
    assert.strictEqual(engine.getStatus(), "idle")
    assert.deepInclude(events.at(-1), { type: "status:changed", previousStatus: "idle", newStatus: "idle" })
  })

  it("interrupts an agent that answers what has been reset, and adds no late reply", async () => {
    const { agent, seen } = pluginSaying(() => {
      queueMicrotask(() => engine.reset())
      return new Promise<Result>(() => {})
    })
    const { engine } = chat(agent)
    const result = await engine.sendMessage("Hello")
    assert.deepStrictEqual(result, { success: false, error: "The conversation was reset." })
    assert.strictEqual(seen.interrupted, 1)
    assert.deepStrictEqual(engine.getHistory(), [])
    assert.isTrue((await engine.sendMessage("Again")).success)
  })

  it("interrupts an agent whose signal is aborted", async () => {
    const controller = new AbortController()
    const { agent, seen } = pluginSaying(() => {
      controller.abort("enough")
      return new Promise<Result>(() => {})
    })
    const { engine } = chat(agent)
    const result = await engine.sendMessage("Hello", { signal: controller.signal })
    assert.deepInclude(result, { success: false, error: "Generation aborted: enough" })
    assert.strictEqual(seen.interrupted, 1)
  })

  it("gives up after its timeout, and interrupts the agent", async () => {
    const runtime = ManagedRuntime.make(Layer.merge(layerOf(Scripted.layer([])), TestContext.TestContext))
    const passes = (millis: number) => runtime.runPromise(TestClock.adjust(millis))
    const { agent, asked, seen } = pluginSaying(() => {
      void passes(50)
      return new Promise<Result>(() => {})
    })
    const { engine } = chat(agent, { timeout: 50, runtime })
    const result = await engine.sendMessage("Hello")
    assert.deepStrictEqual(result, { success: false, error: "the answer had not ended after 50ms", durationMs: 50 })
    assert.strictEqual(asked[0]?.options.timeout, 50)
    assert.strictEqual(seen.interrupted, 1)
    await runtime.dispose()
  })

  it("has the name of its agent, and asks the agent for nothing else", () => {
    const { agent } = replies()
    assert.strictEqual(chat(agent).engine.getAgent(), agent)
    assert.strictEqual(chat(agent).engine.getAgent().meta.name, "Mock Agent")
  })

  it.each([
    [prd, { found: true, content: "# PRD: Dark Mode\n\nDark.", featureName: "Dark Mode" }],
    ["It goes into [PRD]...[/PRD].", { found: false }],
  ])("detects a PRD in a response: %j", (response, detected) => {
    assert.deepStrictEqual<unknown>(chat(replies().agent).engine.detectPrd(response), detected)
  })

  it("asks a model with messages and tools, behind the surface of a plugin", async () => {
    const requests: Array<Request> = []
    const model = await Effect.runPromise(
      Scripted.make((request) => {
        requests.push(request)
        return "Hi"
      }),
    )
    const { engine } = chat(AgentPlugin.fromModel(model), { tools: ToolRegistry.make([SubmitPrd.make]) })
    assert.strictEqual(engine.getAgent().meta.name, "scripted/test")
    await engine.sendMessage("one")
    assert.strictEqual((await engine.sendMessage("two")).response?.content, "Hi")
    assert.deepStrictEqual(requests[1]?.messages.map(Message.text), ["one", "Hi", "two"])
    assert.lengthOf(requests[1]?.tools ?? [], 1)
  })

  it("asks a program behind the surface of a plugin, with the prompt on its stdin", async () => {
    const echo = {
      command: process.execPath,
      args: ["-e", "process.stdin.pipe(process.stdout)"],
      format: "xml",
    } as const
    const agent = Either.getOrThrow(CliAgent.open("echo", { echo }, {}))
    const { engine } = chat(AgentPlugin.fromAgent(agent))
    const { response } = await engine.sendMessage("Hello")
    assert.strictEqual(response?.content, "<system>\nS\n</system>\n\nUser: Hello\nAssistant:")
    assert.strictEqual(engine.getAgent().meta.name, "echo")
  })

  it("asks nothing if the signal is aborted before", async () => {
    const { agent, asked } = replies("Hi")
    const { engine } = chat(agent)
    const result = await engine.sendMessage("Hello", { signal: AbortSignal.abort() })
    assert.deepInclude(result, { success: false, error: "Generation aborted" })
    assert.lengthOf(asked, 0)
  })

  it("interrupts the agent when it is disposed of, and answers no message after it", async () => {
    const begun = Promise.withResolvers<void>()
    const { agent, seen } = pluginSaying(() => {
      begun.resolve()
      return new Promise(() => {})
    })
    const { engine } = chat(agent)
    const answer = engine.sendMessage("Hello")
    await begun.promise
    await engine[Symbol.asyncDispose]()
    const disposed = { success: false, error: "Generation aborted: the engine was disposed of" }
    assert.deepStrictEqual(await answer, disposed)
    assert.strictEqual(seen.interrupted, 1)
    assert.deepStrictEqual(await engine.sendMessage("Again"), disposed)
  })
})

describe("createPrdChatEngine", () => {
  it("helps to write a PRD, in its folder, for three minutes", async () => {
    const { agent, asked } = replies(prd)
    const engine = createPrdChatEngine(agent, { cwd: "/my/project" })
    const events: Array<ChatEvent> = []
    engine.on((event) => events.push(event))
    await engine.sendMessage("A dashboard")
    assert.isTrue(asked[0]?.prompt.startsWith(`<system>\n${PRD_SYSTEM_PROMPT}\n</system>`))
    assert.deepStrictEqual(asked[0]?.options.timeout, 180_000)
    assert.deepStrictEqual(asked[0]?.options.cwd, "/my/project")
    assert.deepInclude(events.at(-1), { type: "prd:detected", featureName: "Dark Mode" })
    assert.strictEqual(engine.getStatus(), "completed")
  })

  it("names a model to its agent where one was named, and no other", async () => {
    const { agent, asked } = replies("a", "b")
    await createPrdChatEngine(agent, { model: "opus" }).sendMessage("Hello")
    await createPrdChatEngine(agent).sendMessage("Hello")
    assert.deepStrictEqual(
      asked.map(({ options }) => options.flags),
      [["--model", "opus"], undefined],
    )
  })
})
