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
