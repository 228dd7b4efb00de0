/** Tool servers as real processes (test/mcp/Client.program.ts, and two that others wrote) and over HTTP. */

import * as fs from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { createMcpHandler, type McpHttpHandler, Server } from "@modelcontextprotocol/server"
import { Deferred, Duration, Effect, Exit, Fiber, Scope, TestClock } from "effect"
import * as Secret from "../../src/base/Secret.ts"
import * as Client from "../../src/mcp/Client.ts"
import * as ClientConnection from "../../src/mcp/internal/ClientConnection.ts"
import { ModelId } from "../../src/message/ModelId.ts"
import { NodeId } from "../../src/message/NodeId.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import type * as ToolResult from "../../src/tool/ToolResult.ts"
import * as ToolServers from "../../src/tool/ToolServers.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { nodeArguments } from "../utils/nodeArguments.ts"
import * as ProcessCoordinator from "../utils/ProcessCoordinator.ts"

const environment = { PATH: path.dirname(process.execPath), LANG: "C.UTF-8" }

const own = path.join(import.meta.dirname, "Client.program.ts")

type Program = Extract<Client.Server, { readonly _tag: "Program" }>

const program = (name: string, args: ReadonlyArray<string>, more: Partial<Program> = {}): Program => ({
  _tag: "Program",
  name,
  command: process.execPath,
  args,
  env: [],
  only: undefined,
  timeout: undefined,
  ...more,
})

/** The server of test/mcp/Client.program.ts with this behaviour. */
const behaving = (behaviour: string, more: Partial<Program> = {}) =>
  program(behaviour, [...nodeArguments, own, behaviour], more)

const peer = (name: string, ...args: ReadonlyArray<string>) =>
  program(name, [
    path.resolve(import.meta.dirname, `../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`),
    ...args,
  ])

const key = "k3y-of-the-server"

const open = (servers: ReadonlyArray<Client.Server>, options: Partial<Client.Options> = {}) =>
  Effect.map(
    Client.open(servers, {
      environment,
      redact: (text) => Secret.redactForms(text, Secret.formsOf([key])),
      ...options,
    }),
    (opened) => ToolServers.join(ToolRegistry.make([]), opened),
  )

const context = {
  node: NodeId.make("0m84see661jm1fbfe2"),
  callId: "call_0",
  model: new ModelId({ provider: "test", name: "one" }),
}

const call = (
  { execute }: ToolRegistry.Service,
  name: string,
  parameters: Record<string, string | number> = {},
): Effect.Effect<ToolResult.ToolResult> => execute({ type: "tool-use", id: "call_0", name, parameters }, context)

const textOf = (registry: ToolRegistry.Service, name: string, parameters: Record<string, string | number> = {}) =>
  Effect.map(call(registry, name, parameters), ({ text }) => text)

const namesOf = ({ tools }: ToolRegistry.Service) => tools.map(({ name }) => name)

describe("servers that others wrote", () => {
  it.scopedLive("server-filesystem reads and writes in its folder, and refuses others", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      fs.writeFileSync(path.join(folder, "a.txt"), "hello")
      const registry = yield* open([peer("filesystem", folder)])
      assert.match(registry.notes[0] ?? "", /^tool server filesystem: 14 tools, about \d,\d00 tokens in each request$/)
      assert.deepStrictEqual(
        registry.tools
          .filter(({ name }) => /_(?:read_text_file|write_file)$/.test(name))
          .map(({ name, readOnly }) => [name, readOnly]),
        [
          ["filesystem_read_text_file", true],
          ["filesystem_write_file", false],
        ],
      )
      const file = path.join(folder, "a.txt")
      assert.deepStrictEqual(yield* call(registry, "filesystem_read_text_file", { path: file }), { text: "hello" })
      yield* call(registry, "filesystem_write_file", { path: file, content: "bye" })
      assert.strictEqual(fs.readFileSync(file, "utf8"), "bye")
      const outside = yield* call(registry, "filesystem_read_text_file", { path: "/etc/passwd" })
      assert.isTrue(outside.isError)
      assert.include(outside.text, "Access denied")
    }),
  )

  it.scopedLive("server-everything answers with texts, pictures and links, and its slow call is let go at once", () =>
    Effect.gen(function* () {
      const registry = yield* open([peer("everything", "stdio")])
      assert.strictEqual(yield* textOf(registry, "everything_echo", { message: "hi" }), "Echo: hi")
      assert.match(yield* textOf(registry, "everything_get-tiny-image"), /\[image\/png, \d+ bytes, not shown\]/)
      assert.include(yield* textOf(registry, "everything_get-sum", { a: 2, b: 40 }), "42")
      assert.match(
        yield* textOf(registry, "everything_get-sum", { a: "two", b: 40 }),
        /^Error: invalid arguments for tool 'everything_get-sum'/,
      )
      const slow = yield* Effect.fork(
        call(registry, "everything_trigger-long-running-operation", { duration: 100, steps: 2 }),
      )
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(slow)
      assert.strictEqual(yield* textOf(registry, "everything_echo", { message: "again" }), "Echo: again")
    }),
  )
})

describe("a server that does not work", () => {
  const notes = (server: Client.Server, options: Partial<Client.Options> = {}) =>
    Effect.map(open([server, behaving("works")], options), (registry) => {
      assert.include(namesOf(registry), "works_echo")
      const [note = "", ...more] = registry.notes.filter((note) => !note.startsWith("tool server works"))
      assert.deepStrictEqual(more, [])
      return note
    })

  it.scopedLive("is left out, with the end of what it said, and others go on without it", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* notes(behaving("ends")),
        "tool server ends is not used: it ended with exit code 3: no key",
      )
      assert.strictEqual(
        yield* notes(program("none", [], { command: "no-such-program" })),
        "tool server none is not used: it cannot be started: there is no program 'no-such-program'",
      )
      assert.include(yield* notes(behaving("other")), "1999-01-01")
    }),
  )

  it.scoped("is given up after 30 seconds where it is silent or speaks no MCP", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const coordinated = { environment: { ...environment, COORDINATOR: String(processes.port) } }
      const notesOf = (behaviour: string) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(open([behaving(behaviour)], coordinated))
          yield* processes.waitFor(behaviour, "ready")
          yield* Effect.repeat(Effect.zipRight(TestClock.adjust("1 second"), liveDelay), {
            until: () => Effect.map(Fiber.poll(fiber), (exit) => exit._tag === "Some"),
          })
          return (yield* Fiber.join(fiber)).notes
        })
      assert.deepStrictEqual(yield* notesOf("silent"), [
        "tool server silent is not used: it gave no answer within 30 s",
      ])
      const [garbage = ""] = yield* notesOf("garbage")
      assert.include(garbage, "tool server garbage is not used: it gave no answer within 30 s: welcome")
    }),
  )

  it.scopedLive("is left out where it sends a line without end", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* notes(behaving("endless")),
        "tool server endless is not used: it sent a line of more than 64 MB",
      )
    }),
  )

  it.scopedLive("is used where it only greets first", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(namesOf(yield* open([behaving("greets")])), ["greets_echo"])
    }),
  )
})

/** In real time: processes do not follow the clock of the test. */
const liveDelay = Effect.async<void>((resume) => void setTimeout(() => resume(Effect.void), 20))

describe("a call", () => {
  it.scopedLive("returns what the server answers as a text", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("works")])
      assert.strictEqual(yield* textOf(registry, "works_echo", { words: "a ☃" }), "a ☃")
      assert.strictEqual(yield* textOf(registry, "works_picture"), "[image/png, 9 bytes, not shown]")
      assert.strictEqual(yield* textOf(registry, "works_data"), '{"answer":42}')
      assert.deepStrictEqual(yield* call(registry, "works_fails"), { text: "there is no such file", isError: true })
      // A NUL is left out, and makes no text binary.
      assert.strictEqual(yield* textOf(registry, "works_colours"), "\u001b[31mred\u001b]0;title\u0007")
      const refused = yield* call(registry, "works_refuses")
      assert.isTrue(refused.isError)
      assert.include(refused.text, "tool server works failed: not today")
    }),
  )

  it.scopedLive("of a tool that has run reaches the model as what it is, whatever its form", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("answersOddly")])
      const results = yield* Effect.forEach(registry.tools, ({ name }) => call(registry, name))
      assert.deepStrictEqual(results, [
        { text: 'kept\n{"type":"chart","points":[1,2]}' },
        { text: "[image, 3 bytes, not shown]" },
        { text: "[link: file:///a]" },
        { text: '{"total":36}' },
        { text: '2 rows, see the data\n{"rows":["a","b"]}' },
        { text: '{"b": 1, "a": [2]}' },
        { text: "plain" },
        { text: '{"b":1}' },
        { text: "[1,2]" },
        { text: "a text alone" },
        { text: "(empty result)" },
        { text: "(empty result)" },
        { text: "fine" },
        { text: 'no disk\n{"type":"log","lines":3}', isError: true },
      ])
    }),
  )

  it.scopedLive("of 50 MB is cut to its beginning and its end", () =>
    Effect.gen(function* () {
      const text = yield* textOf(yield* open([behaving("works")]), "works_large")
      assert.isAtMost(text.length, 50 * 1024)
      assert.match(text, /^beginx+\n\[… \d+ bytes left out …\]\nx+end$/)
    }),
  )

  it.scopedLive("is cancelled on the server where it is interrupted, and the next one is answered", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const registry = yield* open([behaving("waits")], {
        environment: { ...environment, COORDINATOR: String(processes.port) },
      })
      const fiber = yield* Effect.fork(call(registry, "waits_wait"))
      yield* processes.waitFor("waits", "called")
      yield* Fiber.interrupt(fiber)
      yield* processes.waitFor("waits", "cancelled")
      const again = yield* Effect.fork(call(registry, "waits_wait"))
      yield* processes.waitFor("waits", "called")
      yield* Fiber.interrupt(again)
    }),
  )

  it.scopedLive("ends with an error after the time that the user has set", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("waits", { timeout: Duration.millis(50) })])
      assert.strictEqual(
        yield* textOf(registry, "waits_wait"),
        "Error: tool 'waits_wait' failed: tool server waits gave no answer within 0.05 s",
      )
    }),
  )

  it.scopedLive(
    "says with the end of stderr, without keys, that the server has crashed; the next one starts it again, once",
    () =>
      Effect.gen(function* () {
        const server = behaving("crashes", { env: ["SERVER_KEY"] })
        const registry = yield* open([server], { environment: { ...environment, SERVER_KEY: key } })
        assert.strictEqual(yield* textOf(registry, "crashes_count"), "1")
        assert.strictEqual(yield* textOf(registry, "crashes_count"), "2")
        const crashed =
          "Error: tool 'crashes_crash' failed: tool server crashes ended with exit code 7: working\n[key] out of memory"
        assert.strictEqual(yield* textOf(registry, "crashes_crash"), crashed)
        const both = yield* Effect.all([textOf(registry, "crashes_count"), textOf(registry, "crashes_count")], {
          concurrency: 2,
        })
        assert.sameMembers(both, ["1", "2"])
        assert.strictEqual(yield* textOf(registry, "crashes_crash"), crashed)
        assert.include(yield* textOf(registry, "crashes_count"), "has ended again: it is started only twice")
      }),
  )

  it.scopedLive("reaches a server with the keys that it needs, and without others", () =>
    Effect.gen(function* () {
      const server = behaving("works", { env: ["SERVER_KEY"] })
      const registry = yield* open([server], {
        environment: { ...environment, SERVER_KEY: key, OTHER_API_KEY: "of another program" },
      })
      const seen = JSON.parse(yield* textOf(registry, "works_environment"))
      // It has the key; what it says of it is redacted.
      assert.strictEqual(seen.SERVER_KEY, "[key]")
      assert.doesNotHaveAnyKeys(seen, ["OTHER_API_KEY"])
    }),
  )
})

describe("the tools of a server", () => {
  it.scopedLive("are those that 'only' names, and a note says which are not there", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("works", { only: ["write", "echo", "wrte"] })])
      assert.deepStrictEqual(namesOf(registry), ["works_echo", "works_write"])
      assert.include(
        registry.notes[1] ?? "",
        "tool server works has no tool wrte, which 'only' names; it has echo, write",
      )
    }),
  )

  it.scopedLive("are all kept by a digest where their names would be the same", () =>
    Effect.gen(function* () {
      const registry = yield* open([
        behaving("twins"),
        behaving("a_b"),
        program("a", [...nodeArguments, own, "underscored"]),
      ])
      const names = namesOf(registry)
      assert.deepStrictEqual(
        names.map((name) => name.replace(/_[0-9a-f]{8}$/, "_*")),
        ["twins_a_b", "twins_a_b_*", `twins_${"x".repeat(58)}`, `twins_${"x".repeat(48)}_*`, "a_b_echo", "a_b_echo_*"],
      )
      assert.deepStrictEqual(
        yield* Effect.forEach(
          names.filter((name) => name !== "a_b_echo"),
          (name) => textOf(registry, name),
        ),
        ["a.b", "a b", `${"x".repeat(100)}y`, `${"x".repeat(100)}z`, "b_echo"],
      )
      assert.deepStrictEqual(
        registry.notes.filter((note) => note.includes("left out")),
        ["the tool a.b of tool server twins is left out: there is another one of that name"],
      )
    }),
  )

  it.scopedLive("are left out with a note where parameters are no schema", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("flawed")])
      assert.deepStrictEqual(namesOf(registry), ["flawed_good"])
      const notes = registry.notes.filter((note) => note.includes("left out"))
      assert.include(
        notes[0] ?? "",
        "the tool bad of tool server flawed is left out: its parameters are no valid JSON Schema",
      )
    }),
  )

  it.scopedLive(
    "are offered although their declarations are odd; what cannot be mended is left out alone, with a note",
    () =>
      Effect.gen(function* () {
        const registry = yield* open([behaving("oddlyDeclared")])
        assert.deepStrictEqual(
          namesOf(registry),
          [
            ...[
              "good",
              "null-properties",
              "list-properties",
              "null-required",
              "empty-schema",
              "list-type",
              "no-schema",
            ],
            ...["null-schema", "null-description", "null-annotations", "odd-rest", "odd-output", "other-types"],
          ].map((name) => `oddlyDeclared_${name}`),
        )
        const server = "of tool server oddlyDeclared is left out:"
        assert.deepStrictEqual(registry.notes.slice(1), [
          `the tool of-text ${server} its parameters are of the type "string", not of an object`,
          `a tool without a name ${server} it has no name`,
          `a tool without a name ${server} it is no object`,
        ])
        const [, nullProperties] = registry.tools
        assert.deepStrictEqual(nullProperties?.parameters, { type: "object" })
        const words = '{"a":1,"b":["x"]}'
        assert.strictEqual(yield* textOf(registry, "oddlyDeclared_other-types", { a: "1", b: '["x"]' }), words)
      }),
  )

  const changed = ["unlock", "extra", "lists", "crash"].map((name) => `changes_${name}`)

  it.scopedLive("are the current ones when the call returns that has changed them", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("works", { only: ["echo"] }), behaving("changes")])
      const ofServer = ["unlock", "unlock_late", "old", "lists", "crash"].map((name) => `changes_${name}`)
      const before = ["works_echo", ...ofServer]
      assert.deepStrictEqual(namesOf(registry), before)
      assert.strictEqual(yield* textOf(registry, "changes_unlock"), "unlocked")
      assert.deepStrictEqual(namesOf(registry), ["works_echo", ...changed])
      assert.strictEqual(registry.tools[1]?.description, "Locks it.")
      assert.strictEqual(yield* textOf(registry, "changes_extra"), "extra")
      assert.match(yield* textOf(registry, "changes_old"), /'changes_old' not found/)
      const list = registry.tools
      assert.strictEqual(yield* textOf(registry, "works_echo", { words: "hi" }), "hi")
      assert.strictEqual(registry.tools, list)
      // Started again, the server has its first tools.
      assert.include(yield* textOf(registry, "changes_crash"), "ended with exit code 7")
      assert.strictEqual(yield* textOf(registry, "changes_extra"), "extra")
      assert.deepStrictEqual(namesOf(registry), before)
    }),
  )

  it.scopedLive("are the current ones also if the server says so after the result", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("changes")])
      yield* textOf(registry, "changes_unlock_late")
      yield* registry.refresh ?? Effect.void
      assert.deepStrictEqual(namesOf(registry), changed)
    }),
  )

  it.scopedLive("are listed once for a call, although the server announces a change with every list", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("changes")])
      yield* textOf(registry, "changes_unlock")
      assert.deepStrictEqual(
        [yield* textOf(registry, "changes_lists"), yield* textOf(registry, "changes_lists")],
        ["2", "3"],
      )
    }),
  )

  it.scopedLive("are those that a server announces although it has declared none", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("claimsNone")])
      yield* Effect.repeat(Effect.zipRight(liveDelay, registry.refresh ?? Effect.void), {
        until: () => registry.tools.length > 0,
      })
      assert.deepStrictEqual(namesOf(registry), ["claimsNone_only"])
    }),
  )

  it.scopedLive("are those of the last list, also if an earlier one that was given up arrives together with it", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const connection = yield* ClientConnection.open(behaving("listsLate"), {
        environment: { ...environment, COORDINATOR: String(processes.port) },
        redact: (text) => text,
      })
      const refresh = yield* Effect.fork(connection.refresh)
      yield* processes.waitFor("listsLate", "asked")
      yield* Fiber.interrupt(refresh)
      yield* processes.waitFor("listsLate", "cancelled")
      const namesOf = () => connection.listed().tools.map(({ name }) => name)
      assert.deepStrictEqual(namesOf(), ["list1"])
      yield* Effect.repeat(Effect.zipRight(liveDelay, connection.refresh), { until: () => namesOf()[0] === "list3" })
      assert.deepStrictEqual(connection.listed().leftOut, [])
    }),
  )

  it.scopedLive("are 128 at most", () =>
    Effect.gen(function* () {
      const registry = yield* open([behaving("many")])
      assert.lengthOf(registry.tools, 128)
      assert.lengthOf(registry.notes, 2)
      assert.include(registry.notes[1] ?? "", "has 200 tools; those after the first 128 are left out")
    }),
  )
})

describe("a server's process", () => {
  it.scopedLive("is answered if it asks whether the client is there", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const options = { environment: { ...environment, COORDINATOR: String(processes.port) } }
      assert.deepStrictEqual(namesOf(yield* open([behaving("pings")], options)), ["pings_echo"])
      yield* processes.waitFor("pings", "answered: alive?")
    }),
  )

  it.scopedLive("ends with the conversation, with all that it has started", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const scope = yield* Scope.make()
      yield* Scope.extend(
        open([behaving("leaves")], { environment: { ...environment, COORDINATOR: String(processes.port) } }),
        scope,
      )
      yield* processes.waitFor("deaf", "here")
      yield* Scope.close(scope, Exit.void)
      yield* processes.waitFor("leaves", "gone")
      yield* processes.waitFor("deaf", "gone")
    }),
  )

  it.scopedLive("ends where the start is interrupted", () =>
    Effect.gen(function* () {
      const processes = yield* ProcessCoordinator.open
      const fiber = yield* Effect.fork(
        Effect.scoped(
          open([behaving("deaf")], { environment: { ...environment, COORDINATOR: String(processes.port) } }),
        ),
      )
      yield* processes.waitFor("deaf", "here")
      yield* Fiber.interrupt(fiber)
      yield* processes.waitFor("deaf", "gone")
    }),
  )
})

describe("a server at an address", () => {
  const make = () => {
    const server = new Server({ name: "web", version: "1" }, { capabilities: { tools: {} } })
    server.setRequestHandler("tools/list", () => {
      lists++
      return { tools: [{ name: "say", description: spoken, inputSchema: { type: "object" as const } }] }
    })
    server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
      params.arguments?.words === "wait"
        ? new Promise((resolve) => {
            waiting?.()
            mcpReq.signal.addEventListener("abort", () => {
              aborted?.()
              resolve({ content: [] })
            })
          })
        : {
            content: [
              { type: "text", text: String(params.arguments?.words).repeat(Number(params.arguments?.times ?? 1)) },
            ],
          },
    )
    return server
  }
  let spoken = "Says it."
  let lists = 0
  /** The status with which the next request is refused. */
  let refusal: number | undefined
  let waiting: (() => void) | undefined
  let aborted: (() => void) | undefined

  /** A server of HTTP that requires this header. */
  const listen = (header: string, value: string) =>
    Effect.acquireRelease(
      Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
        const handler: McpHttpHandler = createMcpHandler(make)
        const server = createServer((request, response) => {
          if (request.headers[header] !== value) return void response.writeHead(401).end("no")
          if (refusal !== undefined) {
            response.writeHead(refusal).end("refused")
            refusal = undefined
            return
          }
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => chunks.push(chunk))
          request.on("end", async () => {
            const left = new AbortController()
            response.on("close", () => left.abort())
            const answer = await handler.fetch(
              new Request(`http://127.0.0.1${request.url}`, {
                method: request.method ?? "POST",
                headers: new Headers(Object.entries(request.headers).map(([name, one]) => [name, String(one)])),
                ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
                signal: left.signal,
              }),
            )
            response.writeHead(answer.status, Object.fromEntries(answer.headers))
            for await (const chunk of answer.body ?? []) response.write(chunk)
            response.end()
          })
        })
        server.listen(0, "127.0.0.1", () => {
          // It listens on a port, so its address is no path of a socket.
          const { port } = server.address() as AddressInfo
          const close = () => {
            server.close()
            server.closeAllConnections()
          }
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}/mcp`, close }))
        })
      }),
      ({ close }) => Effect.sync(close),
    )

  const remote = (url: string, headers: Readonly<Record<string, string>>): Client.Server => ({
    _tag: "Remote",
    name: "web",
    url,
    headers,
    only: undefined,
    timeout: undefined,
  })

  it.scopedLive("receives the key in its header, answers, and is notified of an interrupted call", () =>
    Effect.gen(function* () {
      const { url } = yield* listen("x-key", key)
      const registry = yield* open([remote(url, { "X-Key": key })])
      assert.match(registry.notes.join(), /^tool server web: 1 tool, about \d+ tokens in each request$/)
      assert.strictEqual(yield* textOf(registry, "web_say", { words: `hi ${key}` }), "hi [key]")
      assert.include(
        yield* textOf(registry, "web_say", { words: "long ".repeat(1024), times: 14_000 }),
        "tool server web failed: it sent more than 64 MB",
      )
      const [called, cancelled] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      waiting = () => Deferred.unsafeDone(called, Effect.void)
      aborted = () => Deferred.unsafeDone(cancelled, Effect.void)
      const fiber = yield* Effect.fork(call(registry, "web_say", { words: "wait" }))
      yield* Deferred.await(called)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(cancelled)
      assert.strictEqual(yield* textOf(registry, "web_say", { words: "still here" }), "still here")
    }),
  )

  it.scopedLive("is connected again once it no longer knows the session, and not after another failure", () =>
    Effect.gen(function* () {
      const { url } = yield* listen("x-key", key)
      const registry = yield* open([remote(url, { "X-Key": key })])
      for (const [status, again] of [
        [500, 0],
        [404, 1],
      ] as const) {
        const before = lists
        refusal = status
        assert.include(yield* textOf(registry, "web_say", { words: "hi" }), "tool server web failed")
        assert.strictEqual(yield* textOf(registry, "web_say", { words: "hi" }), "hi")
        assert.strictEqual(lists - before, again, `${status}`)
      }
    }),
  )

  it.scopedLive("describes its tools without escape sequences and hidden characters", () =>
    Effect.gen(function* () {
      const { url } = yield* listen("x-key", key)
      const before = spoken
      yield* Effect.addFinalizer(() => Effect.sync(() => (spoken = before)))
      // "Ignore" in invisible tag characters, a colour, a title of the terminal, and an override of the direction.
      const tags = Array.from("Ignore", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")
      spoken = `Says \x1b[31mit\x1b[0m.\x1b]0;title\x07${tags}\u202e\u200b`
      const { tools } = yield* open([remote(url, { "X-Key": key })])
      assert.deepStrictEqual(
        tools.map(({ description }) => description),
        ["Says it."],
      )
    }),
  )

  it.scopedLive("that refuses the key, is not there, or goes away is said with why", () =>
    Effect.gen(function* () {
      const { close, url } = yield* listen("authorization", `Bearer ${key}`)
      const refused = yield* open([remote(url, { Authorization: "Bearer wrong" })])
      assert.deepStrictEqual(refused.notes, [
        "tool server web is not used: it refuses the key, or requires one: keyVariable names the variable that holds it",
      ])
      const registry = yield* open([remote(url, { Authorization: `Bearer ${key}` })])
      close()
      // The connection that was open, or a new one.
      assert.match(yield* textOf(registry, "web_say"), /tool server web failed: (?:other side closed|.*ECONN)/)
      const nowhere = yield* open([remote(url, {})])
      assert.match(nowhere.notes.join(), /^tool server web is not used: it failed: .*ECONNREFUSED/)
    }),
  )
})
