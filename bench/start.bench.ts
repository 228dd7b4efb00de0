/** How long the built program takes to start and to do little. Interleaved, so that a busy moment hits all alike. */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Corpus from "./Corpus.ts"
import type { Row, Wanted } from "./run.ts"

export const title = "How long the built program takes to start and to do little, beside an empty Node"

const times = 15

const dist = path.resolve(import.meta.dirname, "../dist")
const bin = path.join(dist, "bin.js")

/** What a coding agent sends up to its first question. The response to that has this id. */
const FIRST_ANSWER = 3
const agentMessages = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  {
    id: FIRST_ANSWER,
    method: "tools/call",
    params: { name: "query", arguments: { query: "where are retries decided" } },
  },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("")

export const run = async (): Promise<ReadonlyArray<Row>> => {
  // Only a build for release has them, and only that has the functions that a start needs compiled with their file.
  if (!fs.existsSync(path.join(dist, "man"))) {
    process.stderr.write(
      "start: dist is a plain build, which takes a third longer to start: run 'npm run prepack' first\n",
    )
    return []
  }
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  fs.writeFileSync(path.join(cwd, "a.ts"), "/** Adds. */\nexport const add = (a: number, b: number) => a + b\n")
  const repository = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  Corpus.make(repository, 1_000)
  // As in a fresh clone: what there is to know without a model is made by the first query, which does not count.
  fs.mkdirSync(path.join(repository, ".vibe"))
  fs.writeFileSync(path.join(repository, ".vibe", "purposes.jsonl"), "")
  const line = path.join(cwd, "line.mjs")
  fs.writeFileSync(line, 'console.log("0.1.0")\n')
  const sixTimes: Wanted = { times: 6, of: "node -e 0" }
  const inRepository = (command: string, ...args: ReadonlyArray<string>) => [
    bin,
    command,
    "--root",
    repository,
    ...args,
  ]
  const commands: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>, wanted?: Wanted]> = [
    ["node -e 0", ["-e", "0"]],
    ["a script of one line", [line]],
    ["vibe --version", [bin, "--version"], { times: 1.2, of: "a script of one line" }],
    ["vibe --help", [bin, "--help"], { times: 4, of: "a script of one line" }],
    ["vibe index, one file, offline", [bin, "index", "--model", "offline"]],
    ["vibe query, one file", [bin, "query", "add"]],
    ["vibe query, 1,000 files", inRepository("query", "where are retries decided"), sixTimes],
    ["vibe show, 1,000 files", inRepository("show", "makeMutex"), sixTimes],
    ["vibe map, 1,000 files", inRepository("map"), sixTimes],
    ["vibe status, 1,000 files", inRepository("status"), sixTimes],
    ["vibe mcp, 1,000 files, to the first answer", inRepository("mcp"), sixTimes],
  ]
  /** Returns how long a command takes to its end, or a server to its first answer. */
  const once = (args: ReadonlyArray<string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const begun = performance.now()
      const child = spawn(process.execPath, args, { cwd })
      let [out, err] = ["", ""]
      let answered: number | undefined
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        out += text
        if (args[1] !== "mcp" || answered !== undefined || !out.includes(`"id":${FIRST_ANSWER}`)) return
        answered = performance.now() - begun
        child.stdin.end()
      })
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        err += text
      })
      child.on("error", reject)
      child.on("close", (code) => {
        if (code === 0) resolve(answered ?? performance.now() - begun)
        else reject(new Error(`${args.join(" ")}: exit ${code}\n${err}`))
      })
      // Most commands end without reading it.
      child.stdin.on("error", () => {})
      if (args[1] === "mcp") child.stdin.write(agentMessages)
      else child.stdin.end()
    })
  // Once each to warm up: the compile cache, the index that the query asks, and the ranks of the map.
  for (const [, args] of commands) await once(args)
  const taken = commands.map((): Array<number> => [])
  for (let round = 0; round < times; round++) {
    for (const [i, [, args]] of commands.entries()) taken[i]?.push(await once(args))
  }
  for (const folder of [cwd, repository]) fs.rmSync(folder, { recursive: true })
  return commands.map(([what, , wanted], i) => ({ what, values: taken[i] ?? [], wanted }))
}
