/** The tools of `vibe serve` for coding agents, over real HTTP with the client of the protocol's SDK. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Deferred, Effect, Layer, Ref, Schema } from "effect"
import { openOnce } from "../../../src/base/mutex.ts"
import * as CodeLayer from "../../../src/cli/layers/CodeLayer.ts"
import * as ServedMcp from "../../../src/cli/serve/ServedMcp.ts"
import * as Screen from "../../../src/cli/terminal/Screen.ts"
import * as NodeWatcher from "../../../src/code/Watcher/Node.ts"
import * as Forest from "../../../src/forest/Forest.ts"
import * as ForestStore from "../../../src/forest/ForestStore/Sqlite.ts"
import * as ServedTools from "../../../src/mcp/ServedTools.ts"
import * as McpServer from "../../../src/mcp/Server.ts"
import * as Ids from "../../../src/message/Ids.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as WikiFolder from "../../../src/wiki/WikiStore/Folder.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import * as Serving from "../../utils/Serving.ts"

const layer = Forest.layer.pipe(
  Layer.provideMerge(ForestStore.layerMemory),
  Layer.provideMerge(Ids.layer),
  Layer.provideMerge(WikiFolder.layer),
  Layer.provideMerge(CodeLayer.layer),
  Layer.provideMerge(NodeWatcher.layer),
  Layer.provideMerge(
    Layer.unwrapEffect(Effect.map(Ref.make<ReadonlyArray<Screen.Written>>([]), (out) => Screen.layerMemory(out))),
  ),
)

const model = Serving.scripted(() => "answer")

/** A server of a folder with a function `plantOak`, and how often its tools were opened. */
const served = Effect.gen(function* () {
  const root = path.join(yield* temporaryFolder, "project")
  fs.mkdirSync(root)
  fs.writeFileSync(path.join(root, "a.ts"), "// Plants an oak.\nexport function plantOak() {\n}\n")
  let opened = 0
  const mcp = yield* openOnce(
    Effect.suspend(() => {
      opened++
      return ServedMcp.open(root)
    }),
  )
  const client = yield* Serving.serve({ model, mcp })
  return { ...client, opened: () => opened }
})

type Mode = "auto" | "legacy"

const transport = (port: number, headers: Record<string, string>) =>
  new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit: { headers } })

const bearer = { authorization: `Bearer ${Serving.token}` }

/** A client of the revision of 2026, or with the handshake of those before it. */
const connect = (port: number, mode: Mode) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } })
      await client.connect(transport(port, bearer))
      return client
    }),
    (client) => Effect.promise(() => client.close()),
  )

const textOf = (result: unknown) => JSON.stringify(result)

describe("vibe serve for coding agents", () => {
  for (const mode of ["auto", "legacy"] as const) {
    it.scopedLive(`lists the tools of vibe mcp and answers a query (${mode})`, () =>
      Effect.gen(function* () {
        const { port } = yield* served
        const client = yield* connect(port, mode)
        yield* Effect.promise(async () => {
          const { tools } = await client.listTools()
          assert.deepStrictEqual(
            tools.map(({ name }) => name),
            ["query", "show"],
          )
          assert.include(client.getInstructions() ?? "", "query")
          const found = await client.callTool({ name: "query", arguments: { query: "plants an oak" } })
          assert.include(textOf(found), "plantOak")
          const unknown = client.callTool({ name: "write", arguments: {} })
          assert.include(String(await unknown.catch((error: unknown) => error)), "The tools are: query, show")
        })
      }).pipe(Effect.provide(layer)),
    )
  }

  it.scopedLive("answers several agents at once from one project, and opens nothing before the first", () =>
    Effect.gen(function* () {
      const { get, opened, port } = yield* served
      yield* Effect.promise(() => get("/session"))
      assert.strictEqual(opened(), 0)
      const first = yield* connect(port, "auto")
      const second = yield* connect(port, "legacy")
      yield* Effect.promise(async () => {
        const calls = Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? first : second).callTool({ name: "show", arguments: { target: "plantOak" } }),
        )
        for (const answer of await Promise.all(calls)) assert.include(textOf(answer), "plantOak")
      })
      assert.strictEqual(opened(), 1)
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("refuses clients without the token as a bearer, and pages, before anything is opened", () =>
    Effect.gen(function* () {
      const { opened, port, send } = yield* served
      const initialize = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
      }
      const post = async (headers: Record<string, string>, at = "/mcp") =>
        (await send("POST", at, initialize, { accept: "application/json, text/event-stream", ...headers })).status
      yield* Effect.promise(async () => {
        const cookie = `vibe_${port}=${Serving.token}`
        for (const at of ["/mcp", "/MCP", "/mcp/", "//mcp", "/%6dcp", "/mcp?token=x"]) {
          assert.strictEqual(await post({ authorization: "" }, at), 401, at)
          assert.strictEqual(await post({ authorization: "Bearer guess" }, at), 401, at)
          assert.strictEqual(await post({ authorization: "", cookie }, at), 401, at)
          assert.strictEqual(await post({ origin: "https://evil.example" }, at), 403, at)
        }
        assert.strictEqual(await post({ origin: `http://127.0.0.1:${port + 1}` }), 403)
        assert.strictEqual(await post({ host: "evil.example" }), 403)
        assert.strictEqual(await post({ "sec-fetch-site": "cross-site" }), 403)
        const client = new Client({ name: "test", version: "1" })
        const refused = client.connect(transport(port, { authorization: "Bearer guess" }))
        assert.match(String(await refused.catch((error: unknown) => error)), /Bearer TOKEN/)
        assert.strictEqual(opened(), 0)
        assert.strictEqual(await post({}), 200)
        // There are no sessions to listen to or to end.
        for (const method of ["GET", "DELETE"]) assert.strictEqual((await send(method, "/mcp")).status, 405)
      })
    }).pipe(Effect.provide(layer)),
  )

  for (const mode of ["auto", "legacy"] as const) {
    it.scopedLive(`interrupts a call if its agent has gone (${mode})`, () =>
      Effect.gen(function* () {
        const started = yield* Deferred.make<void>()
        const interrupted = yield* Deferred.make<void>()
        const slow = Tool.make({
          name: "slow",
          description: "Never ends",
          parameters: Schema.Struct({}),
          readOnly: true,
          run: () =>
            Effect.zipRight(
              Deferred.succeed(started, undefined),
              Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)),
            ),
        })
        const tools = ToolRegistry.make([slow])
        const served = yield* ServedTools.make({ name: "test", version: "1", instructions: "", tools })
        const handler = yield* McpServer.makeHttpHandler(McpServer.makeFactory(served))
        const { port } = yield* Serving.serve({ model, mcp: Effect.succeed(handler) })
        const client = yield* connect(port, mode)
        const call = client.callTool({ name: "slow", arguments: {} }).catch(() => undefined)
        yield* Deferred.await(started)
        yield* Effect.promise(() => client.close())
        yield* Deferred.await(interrupted)
        yield* Effect.promise(() => call)
      }),
    )
  }
})
