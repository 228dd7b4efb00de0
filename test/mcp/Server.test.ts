/** The declarations of vibe's tools as clients receive them, and a server of them over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as ServedTools from "../../src/mcp/ServedTools.ts"
import * as Server from "../../src/mcp/Server.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"

const echo = Tool.make({
  name: "echo",
  description: "Echoes",
  parameters: Schema.Struct({ text: Schema.String }),
  readOnly: true,
  run: ({ text }) => Effect.succeed(text),
})

const post = (message: object) =>
  new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  })

describe("A server of tools over HTTP", () => {
  it.effect("answers each request on its own, and closes with its scope", () =>
    Effect.gen(function* () {
      const tools = ToolRegistry.make([echo])
      const served = yield* ServedTools.make({ name: "test", version: "0", instructions: "Echo.", tools })
      const handle = yield* Server.makeHttpHandler(Server.makeFactory(served))
      const call = post({ method: "tools/call", params: { name: "echo", arguments: { text: "hello" } } })
      const response = yield* Effect.promise(() => handle(call))
      assert.strictEqual(response.status, 200)
      assert.include(yield* Effect.promise(() => response.text()), '"text":"hello"')
    }).pipe(Effect.scoped),
  )

  it.effect("runs sixteen calls at a time, over all requests, and the next as one ends or fails", () =>
    Effect.gen(function* () {
      const running: Array<{ readonly text: string; readonly end: (fails: boolean) => void }> = []
      const slow = Tool.make({
        name: "slow",
        description: "Waits",
        parameters: Schema.Struct({ text: Schema.String }),
        run: ({ text }) =>
          Effect.async<string>((resume) => {
            running.push({
              text,
              end: (fails) => resume(fails ? Effect.die(new Error("it broke")) : Effect.succeed(text)),
            })
          }),
      })
      const served = yield* ServedTools.make({
        name: "test",
        version: "0",
        instructions: "Wait.",
        tools: ToolRegistry.make([slow]),
      })
      const handle = yield* Server.makeHttpHandler(Server.makeFactory(served))
      const call = (n: number) => {
        const request = post({ id: n, method: "tools/call", params: { name: "slow", arguments: { text: `${n}` } } })
        return handle(request).then(
          (response) => response.text(),
          () => "",
        )
      }
      yield* Effect.promise(async () => {
        const until = async (count: number) => {
          while (running.length < count) await new Promise((resolve) => setImmediate(resolve))
          for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
          assert.lengthOf(running, count)
        }
        const answers = Array.from({ length: 20 }, (_, n) => call(n))
        await until(16)
        running[0]?.end(false)
        await until(17)
        running[1]?.end(true)
        await until(18)
        running[2]?.end(false)
        await until(19)
        // The limit stays what it was when all have ended.
        for (let n = 3; n < 20; n++) {
          running[n]?.end(false)
          await until(20)
        }
        await Promise.all(answers)
        const again = Array.from({ length: 17 }, (_, n) => call(100 + n))
        await until(36)
        for (const { end } of running.slice(20)) end(false)
        await until(37)
        running[36]?.end(false)
        await Promise.all(again)
      })
    }).pipe(Effect.scoped),
  )
})

const described = { name: "echo", description: "Returns the text." }

/** Clients ask their users before they call a tool that has other hints. */
const annotations = { readOnlyHint: true, openWorldHint: false }

describe("ServedTools.definitionsOf", () => {
  it("declares tools as ones that change nothing and reach nothing outside, with their parameters", () => {
    const parameters = Schema.Struct({ text: Schema.String })
    const echo = Tool.make({ ...described, parameters, run: ({ text }) => Effect.succeed(text) })
    assert.deepStrictEqual(ServedTools.definitionsOf(ToolRegistry.make([echo])), [
      { ...described, inputSchema: { ...echo.parameters, type: "object" }, annotations },
    ])
    assert.deepInclude(echo.parameters, { required: ["text"] })
  })

  it("declares an object also where a tool has a schema without a type", () => {
    const parameters = { properties: { text: { type: "string" } } }
    const echo = Tool.fromJsonSchema({ ...described, parameters, run: () => Effect.succeed("") })
    assert.deepStrictEqual(ServedTools.definitionsOf(ToolRegistry.make([echo])), [
      { ...described, inputSchema: { ...parameters, type: "object" }, annotations },
    ])
    assert.deepStrictEqual(ServedTools.definitionsOf(ToolRegistry.make([])), [])
  })
})
