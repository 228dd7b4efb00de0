/** Servers of tools: programs that behave in a given way, and a shop over HTTP. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as path from "node:path"
import { Effect } from "effect"
import * as ToolServerLayers from "../../src/mcp/ToolServerLayers.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import type * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { nodeArguments } from "../utils/nodeArguments.ts"

export const key = "k3y-of-the-server"

export const environment = { PATH: path.dirname(process.execPath), LANG: "C.UTF-8", SERVER_KEY: key, ABSENT: undefined }

/** The server of test/mcp/Client.program.ts with this behaviour. */
export const behaving = (behaviour: string, name = behaviour) =>
  ToolServerLayers.program(
    name,
    process.execPath,
    [...nodeArguments, path.join(import.meta.dirname, "Client.program.ts"), behaviour],
    behaviour === "crashes" ? { env: ["SERVER_KEY"] } : {},
  )

export const textOf = ({ execute }: ToolRegistry.Service, name: string, parameters: Record<string, string> = {}) =>
  Effect.map(
    execute(
      { type: "tool-use", id: "call_0", name, parameters },
      { node: NodeId.make("n-1"), callId: "call_0", model: new ModelId({ provider: "test", name: "one" }) },
    ),
    ({ text }) => text,
  )

export const namesOf = ({ tools }: ToolRegistry.Service) => tools.map(({ name }) => name)

interface Rpc {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly fruit?: string } }
}

/** A server of HTTP without the SDK, with the tools `price` and `stock`, that requires this header. */
export const shop = (header: string, value: string) =>
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
