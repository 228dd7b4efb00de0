/** Tool servers as programs that embed vibe have them: a real process, and a server of HTTP. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Schema, Scope } from "effect"
import * as ToolServerLayers from "../../src/mcp/ToolServerLayers.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import * as ToolServers from "../../src/tool/ToolServers.ts"

const key = "k3y-of-the-server"

const environment = { PATH: path.dirname(process.execPath), LANG: "C.UTF-8", SERVER_KEY: key, ABSENT: undefined }

/** The server of test/mcp/Client.program.ts with this behaviour. */
const behaving = (behaviour: string, name = behaviour) =>
  ToolServerLayers.program(
    name,
    process.execPath,
    [path.join(import.meta.dirname, "Client.program.ts"), behaviour],
    behaviour === "crashes" ? { env: ["SERVER_KEY"] } : {},
  )

const textOf = ({ execute }: ToolRegistry.Service, name: string, parameters: Record<string, string> = {}) =>
  Effect.map(
    execute(
      { type: "tool-use", id: "call_0", name, parameters },
      { node: NodeId.make("n-1"), callId: "call_0", model: new ModelId({ provider: "test", name: "one" }) },
    ),
    ({ text }) => text,
  )

const namesOf = ({ tools }: ToolRegistry.Service) => tools.map(({ name }) => name)

interface Rpc {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly fruit?: string } }
}

/** A server of HTTP without the SDK, with the tools `price` and `stock`, that requires this header. */
const shop = (header: string, value: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly calls: ReadonlyArray<string>; readonly close: () => void }>(
      (resume) => {
        const calls: Array<string> = []
        const tool = (name: string) => ({
          name,
          inputSchema: { type: "object", properties: { fruit: { type: "string" } } },
        })
        const resultOf = ({ method, params }: Rpc): object | undefined => {
          calls.push(method)
          if (method === "initialize") {
            const serverInfo = { name: "shop", version: "1" }
            return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo }
          }
          if (method === "tools/list") return { tools: [tool("price"), tool("stock")] }
          if (method !== "tools/call") return undefined
          return { content: [{ type: "text", text: `One ${params?.arguments?.fruit} is 40 cents (${key}).` }] }
        }
        const server = createServer(async (request, response) => {
          if (request.headers[header] !== value) return void response.writeHead(401).end("no")
          // It offers no stream of its own.
          if (request.method !== "POST") return void response.writeHead(405).end()
          const chunks: Array<Buffer> = []
          for await (const chunk of request) chunks.push(chunk)
          const message: Rpc = JSON.parse(Buffer.concat(chunks).toString())
          const result = resultOf(message)
          if (message.id === undefined) return void response.writeHead(202).end()
          const error = { code: -32601, message: "no such method" }
          response
            .writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...(result ? { result } : { error }) }))
        })
        server.listen(0, "127.0.0.1", () => {
          // It listens on a port, so its address is no path of a socket.
          const { port } = server.address() as AddressInfo
          const close = () => server.close().closeAllConnections()
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}/mcp`, calls, close }))
        })
      },
    ),
    ({ close }) => Effect.sync(close),
  )

const registryOf = (...servers: Parameters<typeof ToolServerLayers.layerRegistry>[0]) =>
  Effect.map(Layer.build(ToolServerLayers.layerRegistry(servers, { environment })), (context) =>
    Context.get(context, ToolRegistry.ToolRegistry),
  )

describe("ToolServerLayers", () => {
  it.scopedLive("gives the tools of a server of HTTP, which receives its headers", () =>
    Effect.gen(function* () {
      const { calls, url } = yield* shop("x-key", key)
      const registry = yield* registryOf(ToolServerLayers.remote("shop", url, { headers: { "X-Key": key } }))
      assert.deepStrictEqual(namesOf(registry), ["shop_price", "shop_stock"])
      // The value of the variable SERVER_KEY is a secret, whoever prints it.
      assert.strictEqual(yield* textOf(registry, "shop_price", { fruit: "apple" }), "One apple is 40 cents ([key]).")
      assert.include(calls, "tools/call")
    }),
  )

  it.scopedLive("gives only the tools that are named, and a note in place of a server that refuses", () =>
    Effect.gen(function* () {
      const { url } = yield* shop("authorization", "Bearer 1")
      const headers = { Authorization: "Bearer 1" }
      const registry = yield* registryOf(
        ToolServerLayers.remote("one", url, { headers, only: ["stock"] }),
        ToolServerLayers.remote("closed", url),
      )
      assert.deepStrictEqual(namesOf(registry), ["one_stock"])
      assert.lengthOf(registry.notes, 2)
      assert.match(registry.notes[1] ?? "", /^tool server closed is not used: it refuses the key, or requires one/)
    }),
  )

  it.scopedLive("starts a program that has ended once more, and hides the secrets that it receives", () =>
    Effect.gen(function* () {
      const registry = yield* registryOf(behaving("crashes"), behaving("works"))
      assert.strictEqual(yield* textOf(registry, "crashes_count"), "1")
      const crash = yield* textOf(registry, "crashes_crash")
      assert.include(crash, "out of memory")
      assert.notInclude(crash, key)
      // It counts from the beginning: it is another process.
      assert.strictEqual(yield* textOf(registry, "crashes_count"), "1")
      assert.strictEqual(yield* textOf(registry, "crashes_count"), "2")
      assert.include(yield* textOf(registry, "crashes_crash"), "out of memory")
      assert.include(yield* textOf(registry, "crashes_count"), "it is started only twice")
      // The other one goes on.
      assert.strictEqual(yield* textOf(registry, "works_echo", { words: "hello" }), "hello")
    }),
  )

  it.live("ends the programs with the layer: a later call fails, and starts none", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const registry = yield* Scope.extend(registryOf(behaving("works")), scope)
      assert.notInclude(yield* textOf(registry, "works_environment"), "SERVER_KEY")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(
        yield* textOf(registry, "works_echo", { words: "hello" }),
        "Error: tool 'works_echo' failed: tool server works has ended with the conversation that has started it",
      )
    }),
  )

  it.scopedLive("is the port, too, whose tools are joined with others", () =>
    Effect.gen(function* () {
      const own = Tool.make({
        name: "works_echo",
        description: "Another one of this name",
        parameters: Schema.Struct({}),
        readOnly: true,
        run: () => Effect.succeed("own"),
      })
      const servers = yield* Effect.provide(
        ToolServers.ToolServers,
        ToolServerLayers.layer([behaving("works")], { environment, redact: (text) => text }),
      )
      assert.deepStrictEqual(servers.prefixes, ["works_"])
      const registry = ToolServers.join(ToolRegistry.make([own]), yield* servers.open)
      const [first, second, ...others] = namesOf(registry).filter((name) => name.startsWith("works_echo"))
      assert.deepStrictEqual([first, others], ["works_echo", []])
      assert.match(second ?? "", /^works_echo_\w+$/)
    }),
  )
})
