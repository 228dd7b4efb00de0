/**
 * Whether the programs that stay running grow: memory of `vibe mcp` and `vibe serve` over 5,000 requests. The
 * memory that the system counts and the live heap are measured in runs of their own, since the garbage collection
 * before each reading of the heap changes the former. VIBE_BENCH_NODE_FLAGS has flags for the Node that is
 * measured, separated by spaces.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as http from "node:http"
import * as os from "node:os"
import * as path from "node:path"
import { createInterface } from "node:readline"
import * as Corpus from "./Corpus.ts"
import type { Row } from "./run.ts"

export const title = "Whether `vibe mcp` and `vibe serve` grow over 5,000 requests"

const requests = 5_000
/** Requests between two readings. */
const step = 500
const files = 200

/** The last quarter may have at most so many times the memory of the second, which is after the warm-up. */
const flat = 1.15

const bin = path.resolve(import.meta.dirname, "../dist/bin.js")
const flags = (process.env.VIBE_BENCH_NODE_FLAGS ?? "").split(" ").filter((flag) => flag !== "")

/** What memory is read of: what is resident, or the heap after a collection of garbage. */
type Kind = "resident" | "live"

/** Loaded before the program in the process that is measured. */
const hook = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from "node:worker_threads"
  if (isMainThread) {
    process.on("message", async () => {
      for (let round = 0; round < 3; round++) {
        gc()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const { heapUsed, external } = process.memoryUsage()
      process.send(heapUsed + external)
    })
    process.channel.unref()
  }
`)}`

/** In MB, in order, and the milliseconds of each answer. */
interface Series {
  readonly memory: ReadonlyArray<number>
  readonly answers: ReadonlyArray<number>
}

export const run = async (): Promise<ReadonlyArray<Row>> => {
  if (!fs.existsSync("/proc/self/status")) return []
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  fs.mkdirSync(path.join(cwd, ".git"))
  Corpus.make(cwd, files)
  try {
    // The index is made by the first.
    await mcp(cwd, "live", 1)
    return [
      ...rowsOf("vibe mcp", await mcp(cwd, "resident"), await mcp(cwd, "live")),
      ...rowsOf("vibe serve", await serve(cwd, "resident"), await serve(cwd, "live")),
    ]
  } finally {
    fs.rmSync(cwd, { recursive: true })
  }
}

const rowsOf = (program: string, resident: Series, live: Series): ReadonlyArray<Row> => [
  ...quarters(`${program}, memory`, resident.memory),
  ...quarters(`${program}, live heap`, live.memory),
  { what: `${program}, an answer under load`, values: resident.answers },
]

const quarters = (what: string, memory: ReadonlyArray<number>): ReadonlyArray<Row> => {
  const part = (quarter: number) => memory.slice(...[quarter - 1, quarter].map((n) => (memory.length * n) >> 2))
  process.stderr.write(`${what}: ${memory.map((value) => value.toFixed(0)).join(" ")}\n`)
  return [
    { what: `${what}, second quarter`, values: part(2), unit: "MB" },
    {
      what: `${what}, last quarter`,
      values: part(4),
      unit: "MB",
      wanted: { times: flat, of: `${what}, second quarter` },
    },
  ]
}

const start = (cwd: string, args: ReadonlyArray<string>): ChildProcess =>
  spawn(process.execPath, ["--expose-gc", "--import", hook, ...flags, bin, ...args], {
    cwd,
    env: { ...process.env, HOME: cwd, OLLAMA_HOST: "127.0.0.1:9" },
    stdio: ["pipe", "pipe", "ignore", "ipc"],
  })

const read = async (child: ChildProcess, kind: Kind): Promise<number> => {
  if (kind === "resident") {
    const status = fs.readFileSync(`/proc/${child.pid}/status`, "utf8")
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1024
  }
  child.send("read")
  const [bytes] = await once(child, "message")
  return bytes / 1024 / 1024
}

/** Sends all requests, so many at a time, and reads the memory of the process after each step. */
const measure = async (
  child: ChildProcess,
  kind: Kind,
  count: number,
  atOnce: number,
  send: (number: number) => Promise<unknown>,
): Promise<Series> => {
  const memory: Array<number> = []
  const answers: Array<number> = []
  let sent = 0
  while (sent < count) {
    const end = Math.min(sent + step, count)
    const one = async () => {
      while (sent < end) {
        const begun = performance.now()
        await send(sent++)
        answers.push(performance.now() - begun)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, one))
    memory.push(await read(child, kind))
  }
  return { memory, answers }
}

const words = ["retries", "parse arguments", "memory", "tokens of a message", "open the index", "escape markup"]

/** An agent that asks for something else each time, 50 calls at a time. */
const mcp = async (cwd: string, kind: Kind, count = requests): Promise<Series> => {
  const child = start(cwd, ["mcp"])
  if (child.stdin === null || child.stdout === null) throw new Error("no streams")
  const { stdin, stdout } = child
  const waiting = new Map<number, () => void>()
  createInterface(stdout).on("line", (line) => {
    const { id } = JSON.parse(line)
    waiting.get(id)?.()
    waiting.delete(id)
  })
  let id = 0
  const request = (method: string, params: object): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(++id, resolve)
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    })
  const clientInfo = { name: "bench", version: "0" }
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })
  const series = await measure(child, kind, count, 50, (number) =>
    request("tools/call", { name: "query", arguments: { query: `${words[number % words.length]} ${number}` } }),
  )
  stdin.end()
  await once(child, "close")
  return series
}

const token = "the-token-of-the-bench"

/**
 * Pages and scripts, 200 requests at a time, while one edits the text of 200 kB, which 50 streams of events report. 10
 * of these do not read; all begin again when the server has ended them.
 */
const serve = async (cwd: string, kind: Kind): Promise<Series> => {
  fs.writeFileSync(path.join(cwd, "script.json"), JSON.stringify(["Hello!"]))
  const model = ["--model", "scripted/script.json", "--forest", path.join(cwd, "forest.db")]
  const child = start(cwd, ["serve", "--json", "--port", "0", "--token", token, ...model])
  if (child.stdout === null) throw new Error("no streams")
  const [line] = await once(child.stdout, "data")
  const { port } = JSON.parse(String(line))
  const agent = new http.Agent({ keepAlive: true, maxSockets: 200 })
  const headers = { authorization: `Bearer ${token}` }
  const own = new http.Agent({ keepAlive: true })
  const send = (path: string, body?: object): Promise<string> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? "GET" : "PUT"
      const type = body === undefined ? {} : { "content-type": "application/json" }
      const options = {
        port,
        path: `/api${path}`,
        method,
        agent: body === undefined ? agent : own,
        headers: { ...headers, ...type },
      }
      const request = http.request(options, async (response) => {
        resolve((await response.setEncoding("utf8").toArray()).join(""))
      })
      // A connection that was kept may be closed at the moment of its next use.
      request.on("error", (cause) => (request.reusedSocket ? resolve(send(path, body)) : reject(cause)))
      request.end(body === undefined ? undefined : JSON.stringify(body))
    })
  const { conversation } = JSON.parse(await send("/session"))
  let isOver = false
  let dropped = 0
  const streams = new Set<http.ClientRequest>()
  const listen = (reads: boolean): void => {
    if (isOver) return
    const request = http.get({ port, path: "/api/events", agent: false, headers }, (response) => {
      if (reads) response.resume()
      else response.socket.pause()
    })
    streams.add(request)
    request.on("error", () => {})
    request.on("close", () => {
      streams.delete(request)
      dropped++
      if (!isOver) setTimeout(() => listen(reads), 100)
    })
  }
  for (let count = 0; count < 50; count++) listen(count >= 10)
  const edits = (async () => {
    let version = 0
    for (let count = 0; !isOver; count++) {
      const text = `${count} ${"All work and no play. ".repeat(9_000)}`
      const answer = JSON.parse(await send(`/conversations/${conversation}/document`, { text, version }))
      version = answer.version ?? answer.document?.version
    }
  })()
  const paths = ["/conversations", `/conversations/${conversation}`, "/index", "/index/place?path=", "/models"]
  const series = await measure(child, kind, requests, 200, (number) => send(paths[number % paths.length] ?? ""))
  isOver = true
  await edits
  process.stderr.write(`vibe serve ended ${dropped} streams\n`)
  for (const stream of streams) stream.destroy()
  agent.destroy()
  own.destroy()
  child.kill("SIGTERM")
  await once(child, "close")
  return series
}
