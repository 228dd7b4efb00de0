/** Which tools of a server are offered, and in which form, with servers of HTTP in this process. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { createMcpHandler, Server } from "@modelcontextprotocol/server"
import { Effect } from "effect"
import * as Client from "../../src/mcp/Client.ts"

type Listed = Readonly<Record<string, unknown>>

/** Listens as a server that lists these tools, and returns its address. */
const listen = (tools: ReadonlyArray<Listed>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<AddressInfo & { readonly close: () => void }>((resume) => {
        const handler = createMcpHandler(() => {
          const server = new Server({ name: "web", version: "1" }, { capabilities: { tools: {} } })
          server.setRequestHandler("tools/list", () => ({ tools }) as never)
          server.setRequestHandler("tools/call", ({ params }) => ({
            content: [{ type: "text", text: `${params.name} ${JSON.stringify(params.arguments)}` }],
          }))
          return server
        })
        const server = createServer(async (request, response) => {
          const chunks: Array<Buffer> = []
          for await (const chunk of request) chunks.push(chunk as Buffer)
          const answer = await handler.fetch(
            new Request(`http://127.0.0.1${request.url}`, {
              method: request.method ?? "POST",
              headers: new Headers(Object.entries(request.headers).map(([name, one]) => [name, String(one)])),
              ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
            }),
          )
          response.writeHead(answer.status, Object.fromEntries(answer.headers))
          for await (const chunk of answer.body ?? []) response.write(chunk)
          response.end()
        })
        server.listen(0, "127.0.0.1", () => {
          const close = () => {
            server.close()
            server.closeAllConnections()
          }
          // It listens on a port, so its address is no path of a socket.
          resume(Effect.succeed({ ...(server.address() as AddressInfo), close }))
        })
      }),
      ({ close }) => Effect.sync(close),
    ),
    ({ port }) => `http://127.0.0.1:${port}/mcp`,
  )

const open = (tools: ReadonlyArray<Listed>, only?: ReadonlyArray<string>, opened: Array<string> = []) =>
  Effect.flatMap(listen(tools), (url) =>
    Client.open([{ _tag: "Remote", name: "web", url, headers: {}, only, timeout: undefined }], {
      environment: {},
      redact: (text) => text.replaceAll("secret", "[key]"),
      onOpened: (server) => void opened.push(server),
    }),
  )

const inputSchema = { type: "object" }

describe("the tools of a server", () => {
  it.scopedLive("have its names, descriptions and hints", () =>
    Effect.gen(function* () {
      const servers: Array<string> = []
      const { costs, notes, tools } = yield* open(
        [
          { name: "a", description: "x".repeat(16_385), inputSchema, annotations: { readOnlyHint: true } },
          { name: "b", description: "y".repeat(16_384), inputSchema, annotations: { readOnlyHint: false } },
          { name: "c", inputSchema },
        ],
        undefined,
        servers,
      )
      assert.deepStrictEqual(
        tools.map(({ origin, server, tool }) => [
          server,
          tool.name,
          origin,
          tool.description.length,
          tool.readOnly === true,
          tool.origin,
        ]),
        [
          ["web", "web_a", "the tool a of tool server web", 16_384, true, { server: "web", tool: "a" }],
          ["web", "web_b", "the tool b of tool server web", 16_384, false, { server: "web", tool: "b" }],
          ["web", "web_c", "the tool c of tool server web", 0, false, { server: "web", tool: "c" }],
        ],
      )
      assert.deepStrictEqual([notes, costs.length, servers], [[], 1, ["web"]])
      assert.match(costs[0] ?? "", /^tool server web: 3 tools, /)
    }),
  )

  it.scopedLive("are those that 'only' names, with a note about each of these that is not offered", () =>
    Effect.gen(function* () {
      const all = [
        { name: "a", inputSchema },
        { name: "b", inputSchema },
        { name: "odd", inputSchema: "none" },
        { name: "bad", inputSchema: { type: "object", properties: { a: { type: "nothing" } } } },
        { inputSchema },
      ]
      const nameless = "a tool without a name of tool server web is left out: it has no name"
      const odd = "the tool odd of tool server web is left out: its parameters are no object"
      const bad = /^the tool bad of tool server web is left out: its parameters are no valid JSON Schema: /
      const unknown = (names: string) => `tool server web has no tool ${names}, which 'only' names; it has a, b, bad`
      for (const [only, names, notes] of [
        [undefined, ["web_a", "web_b"], [odd, nameless, bad]],
        [["b"], ["web_b"], [nameless]],
        [["b", "odd"], ["web_b"], [odd, nameless]],
        [["bad", "a"], ["web_a"], [nameless, bad]],
        [["c", "a", "d"], ["web_a"], [nameless, unknown("c, d")]],
        [[], [], [nameless]],
      ] as const) {
        const { notes: said, tools } = yield* open(all, only)
        assert.deepStrictEqual(
          tools.map(({ tool }) => tool.name),
          [...names],
        )
        assert.lengthOf(said, notes.length, said.join("\n"))
        for (const [n, note] of notes.entries()) {
          if (typeof note === "string") assert.strictEqual(said[n], note)
          else assert.match(said[n] ?? "", note)
        }
      }
    }),
  )

  it.scopedLive("are 128 of one server, with a note if it has more", () =>
    Effect.gen(function* () {
      for (const [count, notes] of [
        [128, []],
        [129, ["tool server web has 129 tools; those after the first 128 are left out"]],
      ] as const) {
        const opened = yield* open(Array.from({ length: count }, (_, n) => ({ name: `tool${n}`, inputSchema })))
        assert.deepStrictEqual([opened.tools.length, opened.notes], [128, [...notes]])
      }
    }),
  )

  it.scopedLive("are none of a server without tools, which has a note", () =>
    Effect.gen(function* () {
      const { costs, notes, tools } = yield* open([], ["a"])
      assert.deepStrictEqual(tools, [])
      assert.deepStrictEqual(notes, ["tool server web has no tool a, which 'only' names; it has none"])
      assert.deepStrictEqual(costs, ["tool server web: no tools"])
    }),
  )
})
