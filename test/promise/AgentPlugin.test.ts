import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import * as AgentProgram from "../../src/model/AgentProgram.ts"
import { ModelError, ProgramFailed, TimedOut } from "../../src/model/ModelError.ts"
import * as AgentPlugin from "../../src/promise/AgentPlugin.ts"

const { Stderr, Stdout } = AgentProgram.Output

const id = new ModelId({ provider: "cli", name: "test" })

const failure = (reason: ModelError["reason"]) => Stream.fail(new ModelError({ model: String(id), reason }))

const agentSaying = (outputs: Stream.Stream<AgentProgram.Output, ModelError>) => {
  const askings: Array<AgentProgram.Asking> = []
  const agent: AgentProgram.Service = {
    id,
    name: "test",
    format: "markdown",
    abilities: { streams: true, readsFiles: false },
    ready: Effect.void,
    ask: (_, options = {}) => {
      askings.push(options)
      return outputs
    },
  }
  return { plugin: AgentPlugin.fromAgent(agent), agent, askings }
}

describe("AgentPlugin.fromAgent", () => {
  it("passes on the output of the agent as it arrives, and its end", async () => {
    const { agent, askings, plugin } = agentSaying(
      Stream.make(Stdout({ text: "a" }), Stderr({ text: "(hm)" }), Stdout({ text: "b" })),
    )
    const heard: Array<string> = []
    const handle = plugin.execute("why?", [], {
      cwd: "/project",
      timeout: 1000,
      flags: ["-x"],
      onStart: (id) => heard.push(`start ${id === "" ? "nameless" : "named"}`),
      onStdout: (text) => heard.push(`out ${text}`),
      onStderr: (text) => heard.push(`err ${text}`),
      onEnd: ({ status }) => heard.push(`end ${status}`),
    })
    const { executionId, status, stderr, stdout } = await handle.promise
    assert.deepStrictEqual([executionId, status, stdout, stderr], [handle.executionId, "completed", "ab", "(hm)"])
    assert.deepStrictEqual(heard, ["start named", "out a", "err (hm)", "out b", "end completed"])
    assert.deepStrictEqual(askings, [{ cwd: "/project", flags: ["-x"], timeout: 1000 }])
    assert.isFalse(handle.isRunning())
    assert.strictEqual(plugin.service, agent)
  })

  it.each<readonly [status: AgentPlugin.AgentExecutionResult["status"], reason: ModelError["reason"]]>([
    ["failed", new ProgramFailed({ message: "it broke" })],
    ["timeout", new TimedOut({ message: "too long" })],
  ])("has the status %s where it ended so", async (status, reason) => {
    const result = await agentSaying(failure(reason)).plugin.execute("?").promise
    assert.deepInclude(result, { status, error: `cli/test: ${reason.message}` })
  })

  it("can be interrupted", async () => {
    const handle = agentSaying(Stream.never).plugin.execute("?")
    assert.isTrue(handle.isRunning())
    handle.interrupt()
    assert.deepInclude(await handle.promise, { status: "interrupted", interrupted: true })
  })
})

describe("AgentPlugin.toAgent", () => {
  it.effect("has the same output as the agent", () =>
    Effect.gen(function* () {
      const { execute, meta } = agentSaying(Stream.make(Stdout({ text: "a" }), Stderr({ text: "b" }))).plugin
      const agent = AgentPlugin.toAgent({ execute, meta })
      assert.strictEqual(agent.name, "test")
      const outputs = yield* Stream.runCollect(agent.ask("?"))
      assert.deepStrictEqual(Array.from(outputs), [Stdout({ text: "a" }), Stderr({ text: "b" })])
    }),
  )

  it.effect("fails as the plugin does, and ignores a failing interrupt", () =>
    Effect.gen(function* () {
      const late = AgentPlugin.toAgent(agentSaying(failure(new TimedOut({ message: "too long" }))).plugin)
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(late.ask("?")))).reason._tag, "TimedOut")
      const stubborn = AgentPlugin.toAgent({
        meta: { name: "stubborn" },
        execute: (_prompt, _files, { onStdout } = {}) => {
          onStdout?.("a")
          const interrupt = () => {
            throw new Error("no")
          }
          return { executionId: "e", promise: new Promise(() => {}), isRunning: () => true, interrupt }
        },
      })
      assert.lengthOf(yield* Stream.runCollect(Stream.take(stubborn.ask("?"), 1)), 1)
    }),
  )
})
