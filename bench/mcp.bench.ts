/**
 * What `vibe mcp` takes: from its start to the first answer, with and without an index, an answer after an edit, memory
 * after many calls, and the tokens of its definitions.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import { instructions } from "../src/cli/mcp/Offered.ts"
import * as ServedTools from "../src/mcp/ServedTools.ts"
import * as Tokens from "../src/message/Tokens.ts"
import { Failed } from "../src/tool/ToolError.ts"
import * as ToolRegistry from "../src/tool/ToolRegistry.ts"
import * as LookupTools from "../src/toolbox/LookupTools.ts"
import * as Corpus from "./Corpus.ts"
import type { Row } from "./run.ts"

export const title = "What an agent waits for, and pays for, with `vibe mcp` on 1,000 files"

const times = 10
const calls = 10_000
const atOnce = 50

const bin = path.resolve(import.meta.dirname, "../dist/bin.js")

const query = { name: "query", arguments: { query: "where are retries decided" } }

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  fs.mkdirSync(path.join(cwd, ".git"))
  Corpus.make(cwd, 1_000)
  const edited = path.join(cwd, "edited.ts")
  fs.writeFileSync(edited, "export const edited = 0\n")

  // Compiled code is cached from here on; the structure that the first call makes is not.
  await (await open(cwd)).close()
  fs.rmSync(path.join(cwd, ".vibe"), { recursive: true, force: true })
  const cold = [await firstAnswer(cwd)]
  for (let round = 0; round < 2; round++) {
    fs.rmSync(path.join(cwd, ".vibe"), { recursive: true })
    cold.push(await firstAnswer(cwd))
  }
  const warm: Array<number> = []
  for (let round = 0; round < times; round++) warm.push(await firstAnswer(cwd))

  const client = await open(cwd)
  await client.request("tools/call", query)
  const answers: Array<number> = []
  const afterEdits: Array<number> = []
  for (let round = 0; round < times; round++) {
    answers.push(await timed(() => client.request("tools/call", query)))
    fs.appendFileSync(edited, `export const edited${round} = ${round}\n`)
    afterEdits.push(await timed(() => client.request("tools/call", query)))
  }
  const before = memoryOf(client.child)
  for (let done = 0; done < calls; done += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => client.request("tools/call", query)))
  }
  const after = memoryOf(client.child)
  const end = await timed(client.close)
  fs.rmSync(cwd, { recursive: true })

  const tools = LookupTools.make(Effect.fail(new Failed({ message: "" })))
  const definitions = JSON.stringify(ServedTools.definitionsOf(ToolRegistry.make(tools)))
  return [
    { what: "start to first answer, no index yet", values: cold },
    { what: "start to first answer, with its index", values: warm },
    { what: "an answer, nothing has changed", values: answers },
    { what: "an answer after an edit", values: afterEdits },
    { what: "end, once its input has ended", values: [end] },
    { what: "memory after the first calls", values: [before], unit: "MB" },
    { what: `memory after ${calls} calls, ${atOnce} at a time`, values: [after], unit: "MB" },
    { what: "definitions of the tools", values: [Tokens.ofLines([definitions])], unit: "tokens" },
    { what: "instructions", values: [Tokens.ofLines([instructions])], unit: "tokens" },
  ]
}

const timed = async (body: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await body()
  return performance.now() - begun
}

const firstAnswer = async (cwd: string): Promise<number> => {
  const begun = performance.now()
  const client = await open(cwd)
  await client.request("tools/call", query)
  const taken = performance.now() - begun
  await client.close()
  return taken
}

/** In MB, as the system counts what is resident; NaN where it has no `/proc`. */
const memoryOf = ({ pid }: ChildProcess): number => {
  const file = `/proc/${pid}/status`
  const status = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : ""
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1024
}

/** An agent that has said hello. */
const open = async (cwd: string) => {
  const child = spawn(process.execPath, [bin, "mcp"], { cwd, stdio: ["pipe", "pipe", "ignore"] })
  const waiting = new Map<number, (reply: unknown) => void>()
  let rest = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const { id, ...reply } = JSON.parse(line)
      waiting.get(id)?.(reply)
      waiting.delete(id)
    }
  })
  let id = 0
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      waiting.set(++id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    })
  const clientInfo = { name: "bench", version: "0" }
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo })
  const close = () =>
    new Promise<void>((resolve) => {
      child.on("close", () => resolve())
      child.stdin.end()
    })
  return { child, request, close }
}
