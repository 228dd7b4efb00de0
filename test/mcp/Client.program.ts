/**
 * A tool server as a process, for test/mcp/Client.test.ts, without the SDK: its first argument selects how it behaves.
 * It reports to the port in COORDINATOR what happens to it.
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import * as readline from "node:readline"

const [behaviour = "works"] = process.argv.slice(2)

const write = (text: string) => fs.writeSync(1, text)
const send = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
const text = (words: string) => ({ content: [{ type: "text", text: words }] })

const report = (() => {
  const port = process.env.COORDINATOR
  if (port === undefined) return () => {}
  const line = net.connect(Number(port), "127.0.0.1")
  line.write(`${behaviour}\n`)
  line.on("data", () => {})
  line.on("error", () => {})
  return (words: string) => void line.write(`${words}\n`)
})()

const any = { type: "object", properties: {} }
const tool = (name: string, more: object = {}) => ({ name, description: `${name} it.`, inputSchema: any, ...more })

/** Whether the tools of `changes` and `claimsNone` have changed. */
let hasChanged = false

/** The tools of a behaviour. */
const tools = {
  works: [
    tool("echo", {
      annotations: { readOnlyHint: true },
      inputSchema: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },
    }),
    tool("write"),
    tool("environment"),
    tool("picture"),
    tool("data"),
    tool("fails"),
    tool("refuses"),
    tool("colours"),
    tool("large"),
  ],
  twins: [..."a.b,a b".split(","), `${"x".repeat(100)}y`, `${"x".repeat(100)}z`, "a.b"].map((name) => tool(name)),
  underscored: [tool("b_echo")],
  flawed: [tool("good"), tool("bad", { inputSchema: { type: "object", properties: { a: { type: "nothing" } } } })],
  oddlyDeclared: [
    tool("good"),
    tool("null-properties", { inputSchema: { type: "object", properties: null } }),
    tool("list-properties", { inputSchema: { type: "object", properties: [] } }),
    tool("null-required", { inputSchema: { type: "object", properties: { a: { type: "string" } }, required: null } }),
    tool("empty-schema", { inputSchema: {} }),
    tool("list-type", { inputSchema: { type: ["object", "null"] } }),
    { name: "no-schema" },
    tool("null-schema", { inputSchema: null }),
    tool("null-description", { description: null }),
    tool("null-annotations", { annotations: null }),
    tool("odd-rest", { title: 3, icons: {}, _meta: [], execution: "x", annotations: { readOnlyHint: "yes" } }),
    tool("odd-output", { outputSchema: { type: "array" } }),
    tool("other-types", {
      inputSchema: {
        type: "dict",
        properties: { a: { type: "int" }, b: { type: "list", items: { type: "str" } }, c: { type: "any" } },
      },
    }),
    tool("of-text", { inputSchema: { type: "string" } }),
    { description: "nameless" },
    "a text",
  ],
  answersOddly: [
    tool("unknown-block"),
    tool("bare-image"),
    tool("nameless-link"),
    tool("null-content"),
    tool("data-beside"),
    tool("same-beside"),
    tool("no-data", { outputSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } }),
    tool("wrong-data", { outputSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } }),
    tool("list-data"),
    tool("text-content"),
    tool("nothing"),
    tool("null-result"),
    tool("null-error"),
    tool("failed-oddly"),
  ],
  changes: ["unlock", "unlock_late", "old", "lists", "crash"].map((name) => tool(name)),
  claimsNone: [tool("only")],
  many: Array.from({ length: 200 }, (_, n) => tool(`tool${n}`)),
  waits: [tool("wait")],
  crashes: [tool("crash"), tool("count")],
}[behaviour] ?? [tool("echo")]

const changedTools = [
  tool("unlock", { description: "Locks it." }),
  tool("extra"),
  tool("bad", { inputSchema: { type: "string" } }),
  tool("lists"),
  tool("crash"),
]

const listChanged = { method: "notifications/tools/list_changed" }

let calls = 0
let lists = 0

/** The id of the second list of `listsLate`, which is answered together with the third one. */
let lateId: number | string | undefined

const listLate = (id: number | string | undefined) => {
  if (lists === 2) {
    lateId = id
    return report("asked")
  }
  if (lists === 1) send(listChanged)
  else send({ id: lateId, result: { tools: [tool("bad", { inputSchema: { type: "string" } })] } })
  return send({ id, result: { tools: [tool(`list${lists}`)] } })
}

/** The result of a call; undefined where there is none. */
const result = (name: string, args: Record<string, unknown>): object | undefined => {
  switch (name) {
    case "echo":
      return text(String(args.words))
    case "other-types":
      return text(JSON.stringify(args))
    case "environment":
      return text(JSON.stringify(process.env))
    case "picture":
      return { content: [{ type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }] }
    case "data":
      return { content: [], structuredContent: { answer: 42 } }
    case "unknown-block":
      return {
        content: [
          { type: "text", text: "kept", annotations: null },
          { type: "chart", points: [1, 2] },
        ],
      }
    case "bare-image":
      return { content: [{ type: "image", data: "aGk=" }] }
    case "nameless-link":
      return { content: [{ type: "resource_link", uri: "file:///a" }] }
    case "null-content":
      return { content: null, structuredContent: { total: 36 } }
    case "data-beside":
      return { ...text("2 rows, see the data"), structuredContent: { rows: ["a", "b"] } }
    case "same-beside":
      return { ...text('{"b": 1, "a": [2]}'), structuredContent: { a: [2], b: 1 } }
    case "no-data":
      return text("plain")
    case "wrong-data":
      return { content: [], structuredContent: { b: 1 } }
    case "list-data":
      return { content: [], structuredContent: [1, 2], _meta: null }
    case "text-content":
      return { content: "a text alone" }
    case "nothing":
      return {}
    case "null-error":
      return { ...text("fine"), isError: null }
    case "failed-oddly":
      return {
        content: [
          { type: "text", text: "no disk" },
          { type: "log", lines: 3 },
        ],
        isError: true,
      }
    case "fails":
      return { ...text("there is no such file"), isError: true }
    case "colours":
      return text("\u001b[31mred\u001b]0;title\u0007\u0000")
    case "large":
      return text(`begin${"x".repeat(50_000_000)}end`)
    case "count":
      return text(String(++calls))
    case "lists":
      return text(String(lists))
    default:
      return ["changes", "twins", "underscored"].includes(behaviour) ? text(name) : undefined
  }
}

interface Params {
  readonly protocolVersion?: string
  readonly name?: string
  readonly arguments?: Record<string, unknown>
}

const answer = ({ id, method, params }: { id?: number | string; method?: string; params: Params }) => {
  switch (method) {
    case undefined:
      // The client's answer to a request of this server.
      return report(`answered: ${id}`)
    case "initialize": {
      const protocolVersion = behaviour === "other" ? "1999-01-01" : params.protocolVersion
      const serverInfo = { name: behaviour, version: "1" }
      const capabilities = behaviour === "claimsNone" ? {} : { tools: {} }
      return send({ id, result: { protocolVersion, capabilities, serverInfo } })
    }
    case "tools/list":
      // A client that lists at once whenever this is sent would never end.
      if (hasChanged) send(listChanged)
      lists++
      if (behaviour === "listsLate") return listLate(id)
      return send({ id, result: { tools: hasChanged ? changedTools : tools } })
    case "tools/call": {
      const { name = "" } = params
      if (name === "wait") return report("called")
      if (name === "crash") {
        fs.writeSync(2, `working\n${process.env.SERVER_KEY ?? ""} out of memory\n`)
        process.exit(7)
      }
      if (name === "unlock") {
        hasChanged = true
        send(listChanged)
        return send({ id, result: text("unlocked") })
      }
      if (name === "unlock_late") {
        hasChanged = true
        // In one write, so that they arrive together.
        return write(
          [{ id, result: text("unlocked") }, listChanged]
            .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
            .join(""),
        )
      }
      if (name === "null-result") return send({ id, result: null })
      if (name === "refuses") return send({ id, error: { code: -32_000, message: "not today" } })
      const found = result(name, params.arguments ?? {})
      return found === undefined ? undefined : send({ id, result: found })
    }
    case "notifications/initialized":
      if (behaviour === "pings") return send({ id: "alive?", method: "ping" })
      return behaviour === "claimsNone" ? send(listChanged) : undefined
    case "notifications/cancelled":
      if (behaviour === "listsLate") send(listChanged)
      return report("cancelled")
    default:
      return undefined
  }
}

const serve = () =>
  void readline.createInterface({ input: process.stdin }).on("line", (line) => answer(JSON.parse(line)))

const behaviours: Record<string, () => void> = {
  ends: () => {
    fs.writeSync(2, "no key\n")
    process.exit(3)
  },
  silent: () => {
    report("ready")
    process.stdin.resume()
  },
  garbage: () => {
    write('welcome\n{"jsonrpc":"2.0","id":\n[1,2]\n{"id":1}\n')
    report("ready")
    process.stdin.resume()
  },
  endless: () => {
    for (let n = 0; n < 70; n++) write("x".repeat(1024 * 1024))
    process.stdin.resume()
  },
  greets: () => {
    write("Server 1.0 is ready\n\n")
    serve()
  },
  deaf: () => {
    process.on("SIGTERM", () => report("asked to end"))
    process.stdin.resume()
    setInterval(() => {}, 1000)
  },
  leaves: () => {
    spawn(process.execPath, [...process.execArgv, import.meta.filename, "deaf"], {
      stdio: ["ignore", "inherit", "inherit"],
    })
    serve()
  },
}

;(behaviours[behaviour] ?? serve)()
