/**
 * Lets a model call the tools of a tool server (MCP): `node examples/toolServer.ts`.
 *
 * The server is this file itself, started with the argument `serve`, so that this runs without a network. In a program
 * of yours it is any command that speaks MCP, or `ToolServerLayers.remote(name, url)`. `vibe-index/mcp` needs the
 * package `@modelcontextprotocol/client`.
 */
import * as readline from "node:readline"
import { Console, Effect, Layer, Stream } from "effect"
import { Forest, Ids, LoomEngine, Message, SqliteForestStore } from "vibe-index"
import { ToolServerLayers } from "vibe-index/mcp"
import { Scripted } from "vibe-index/provider"

/** A server with one tool: a line of JSON is a request, and a line with its id the answer. */
const serve = () => {
  const price = {
    name: "price",
    description: "The price of a fruit.",
    inputSchema: { type: "object", properties: { fruit: { type: "string" } }, required: ["fruit"] },
  }
  const serverInfo = { name: "shop", version: "1" }
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line)
    const results: Record<string, unknown> = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
      "tools/list": { tools: [price] },
      "tools/call": { content: [{ type: "text", text: `One ${params?.arguments?.fruit} is 40 cents.` }] },
    }
    if (id === undefined) return
    const answer = results[method]
      ? { result: results[method] }
      : { error: { code: -32601, message: "no such method" } }
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`)
  })
}

const conversation = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const engine = yield* LoomEngine.LoomEngine
  yield* Console.log(engine.defaultTools.tools.map(({ name }) => name).join(", "))
  const root = yield* forest.root({ owner: "example", systemPrompt: "You sell fruit." })
  yield* Stream.runForEach(engine.generateStream(root.id, { text: "What is an apple?" }), (event) => {
    if (event.type === "tool_result_node") return Console.log(`tool: ${Message.text(event.node.message)}`)
    if (event.type === "done") return Effect.forEach(event.final, ({ message }) => Console.log(Message.text(message)))
    return Effect.void
  })
})

const main = () => {
  // The tool `price` of the server `shop` is `shop_price`. The server ends with the layer.
  const shop = ToolServerLayers.program("shop", process.execPath, [import.meta.filename, "serve"])
  const tools = ToolServerLayers.layerRegistry([shop], { environment: process.env })
  const model = Scripted.layer([Scripted.calls(["shop_price", { fruit: "apple" }]), "An apple is 40 cents."])
  const vibe = LoomEngine.layer.pipe(
    Layer.provideMerge(Forest.layer),
    Layer.provide([model, SqliteForestStore.layerMemory, Ids.layer, tools]),
  )
  return Effect.runPromise(Effect.provide(conversation, vibe))
}

if (process.argv[2] === "serve") serve()
else await main()
