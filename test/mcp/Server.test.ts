/** The declarations of vibe's tools as clients receive them, and a server of them over HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
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
      const factory = yield* Server.makeFactory({ name: "test", version: "0", instructions: "Echo.", tools })
      const handle = yield* Server.makeHttpHandler(factory)
      const call = post({ method: "tools/call", params: { name: "echo", arguments: { text: "hello" } } })
      const response = yield* Effect.promise(() => handle(call))
      assert.strictEqual(response.status, 200)
      assert.include(yield* Effect.promise(() => response.text()), '"text":"hello"')
    }).pipe(Effect.scoped),
  )
})

const described = { name: "echo", description: "Returns the text." }

/** Clients ask their users before they call a tool that has other hints. */
const annotations = { readOnlyHint: true, openWorldHint: false }

describe("Server.definitionsOf", () => {
  it("declares tools as ones that change nothing and reach nothing outside, with their parameters", () => {
    const parameters = Schema.Struct({ text: Schema.String })
    const echo = Tool.make({ ...described, parameters, run: ({ text }) => Effect.succeed(text) })
    assert.deepStrictEqual(Server.definitionsOf(ToolRegistry.make([echo])), [
      { ...described, inputSchema: { ...echo.parameters, type: "object" }, annotations },
    ])
    assert.deepInclude(echo.parameters, { required: ["text"] })
  })

  it("declares an object also where a tool has a schema without a type", () => {
    const parameters = { properties: { text: { type: "string" } } }
    const echo = Tool.fromJsonSchema({ ...described, parameters, run: () => Effect.succeed("") })
    assert.deepStrictEqual(Server.definitionsOf(ToolRegistry.make([echo])), [
      { ...described, inputSchema: { ...parameters, type: "object" }, annotations },
    ])
    assert.deepStrictEqual(Server.definitionsOf(ToolRegistry.make([])), [])
  })
})
