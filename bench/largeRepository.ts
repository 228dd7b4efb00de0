/**
 * What vibe takes in one large repository, beside universal-ctags on the same languages of the same files.
 *
 *     node bench/largeRepository.ts FOLDER QUESTIONS
 *
 * FOLDER is a repository with a commit, such as `bench/monorepo.ts` makes; its `.vibe` is made anew. QUESTIONS
 * is a file with a JSON object with a `question` in each line: the first 150 are asked, and 50 names of
 * symbols. Uses the built program.
 */
import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import { layerWords } from "../src/app/Indexing.ts"
import * as Workspace from "../src/code/Workspace.ts"
import * as IndexStore from "../src/index/IndexStore.ts"
import * as Query from "../src/lookup/Query.ts"
import * as ProgramRun from "./programRun.ts"

const [folder = "", questionFile = "", ...only] = process.argv.slice(2)
if (folder === "" || questionFile === "") {
  process.stderr.write(
    "usage: node bench/largeRepository.ts FOLDER QUESTIONS [structure|unchanged|commands|questions|mcp]...\n",
  )
  process.exit(2)
}
const root = path.resolve(folder)
const database = path.join(root, ".vibe", "index.db")
const changed = 50

const print = (what: string, figures: string): void => void process.stdout.write(`| ${what} | ${figures} |\n`)
const number = (value: number, digits = 0): string => value.toLocaleString("en", { maximumFractionDigits: digits })
const seconds = (milliseconds: number): string => `${number(milliseconds / 1_000, 2)} s`
const runText = ({ cpu, peak, wall }: ProgramRun.Run): string =>
  [seconds(wall), `${seconds(cpu)} CPU`, ...(peak === undefined ? [] : [`${number(peak)} MB`])].join(", ")
const timed = (what: string, args: ReadonlyArray<string>, statuses = [0]): ProgramRun.Run => {
  const run = ProgramRun.vibe(root, args, statuses)
  print(what, runText(run))
  return run
}

/** What universal-ctags calls the languages that both read. */
const ctagsLanguages = (): string => {
  const both =
    "Java Go Python C# PHP Ruby JavaScript TypeScript C C++ Rust Sh CSS Lua Perl R SQL Protobuf ObjectiveC Elixir PowerShell Kotlin Haskell"
  const known = new Set(execFileSync("ctags", ["--list-languages"], { encoding: "utf8" }).split(/\s+/))
  return both
    .split(" ")
    .filter((language) => known.has(language))
    .join(",")
}

const structure = (): void => {
  fs.rmSync(path.join(root, ".vibe"), { recursive: true, force: true })
  fs.mkdirSync(path.join(root, ".vibe"))
  fs.writeFileSync(path.join(root, ".vibe", "purposes.jsonl"), "")
  const languages = ctagsLanguages()
  const peer = ProgramRun.ctags(root, [`--languages=${languages}`])
  print(`ctags -R (${languages.split(",").length} languages)`, runText(peer))
  const run = timed("vibe status, all files new", ["status"])
  print("… beside ctags", `${number(run.wall / peer.wall, 2)} times, ${number(run.cpu / peer.cpu, 2)} times CPU`)
  const sql = new DatabaseSync(database, { readOnly: true })
  for (const table of ["file", "symbol", "dependency", "caller"]) {
    print(`rows of ${table}`, number(Number(sql.prepare(`select count(*) as n from ${table}`).get()?.n)))
  }
  sql.close()
  print("index.db", `${number(fs.statSync(database).size / 2 ** 20)} MB`)
}

/** Files of the code, evenly spread over the repository, and their texts. */
const someFiles = (count: number): ReadonlyArray<readonly [path: string, text: string]> => {
  const sql = new DatabaseSync(database, { readOnly: true })
  const paths = sql
    .prepare("select path from file where class = 'code' and id >= 0 and path glob '*.[jgpt][aosy]*' order by path")
    .all()
    .map((row) => String(row.path))
  sql.close()
  return Array.from({ length: count }, (_, n) => paths[Math.floor((n * paths.length) / count)] ?? "").map((file) => [
    path.join(root, file),
    fs.readFileSync(path.join(root, file), "utf8"),
  ])
}

const whileChanged = (count: number, body: () => void): void => {
  const files = someFiles(count)
  for (const [file, text] of files) fs.writeFileSync(file, `${text}\n`)
  try {
    body()
  } finally {
    for (const [file, text] of files) fs.writeFileSync(file, text)
  }
}

const unchanged = (): void => {
  timed("vibe status, nothing changed", ["status"])
  whileChanged(1, () => timed("vibe status, one file edited", ["status"]))
  timed("… and edited back", ["status"])
  const added = path.join(root, "added.py")
  fs.writeFileSync(added, "def added():\n    return 1\n")
  timed("vibe status, one file added", ["status"])
  fs.rmSync(added)
  timed("vibe status, one file removed", ["status"])
}

const commands = (): void => {
  timed("vibe query", ["query", "where are retries of failed requests decided"])
  timed("vibe map", ["map"])
  whileChanged(changed, () => {
    timed(`vibe diff, ${changed} files edited`, ["diff", "HEAD"])
    timed(`vibe check, ${changed} files edited`, ["check"], [0, 1])
  })
  timed("vibe status, edited back", ["status"])
}

const percentiles = (what: string, values: ReadonlyArray<number>): void => {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => number(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN, 1)
  print(what, `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, at most ${at(1)} ms`)
}

const questions = (): Effect.Effect<void, unknown> => {
  const asked = fs
    .readFileSync(questionFile, "utf8")
    .trim()
    .split("\n")
    .slice(0, 150)
    .map((line) => String(JSON.parse(line).question))
  const sql = new DatabaseSync(database, { readOnly: true })
  const { most } = sql.prepare("select max(id) as most from symbol").get() ?? {}
  for (let n = 0; n < 50; n++) {
    const row = sql
      .prepare("select name from symbol where id >= ? order by id limit 1")
      .get(Math.floor((Number(most) * n) / 50))
    asked.push(String(row?.name))
  }
  sql.close()
  return Effect.gen(function* () {
    const store = yield* IndexStore.IndexStore
    const { index, workspace } = yield* store.openExisting(yield* Workspace.open(root), { refresh: "later" })
    const project = { index, workspace, displayPath: (file: string) => file }
    const before = process.memoryUsage.rss()
    const cpuOf = <E>(effect: Effect.Effect<unknown, E>) =>
      Effect.suspend(() => {
        const [used, begun] = [process.cpuUsage(), performance.now()]
        return Effect.map(effect, () => {
          const { system, user } = process.cpuUsage(used)
          return [performance.now() - begun, (user + system) / 1_000] as const
        })
      })
    for (const round of ["first round", "second round", "third round"]) {
      const searches: Array<readonly [number, number]> = []
      for (const question of asked) searches.push(yield* cpuOf(index.search(question, { limit: 5 })))
      percentiles(
        `Index.search, ${round}`,
        searches.map(([wall]) => wall),
      )
      percentiles(
        "… its CPU",
        searches.map(([, cpu]) => cpu),
      )
    }
    const answers: Array<readonly [number, number]> = []
    for (const question of asked) answers.push(yield* cpuOf(Query.answer(project, question)))
    percentiles(
      "a whole answer, with excerpts",
      answers.map(([wall]) => wall),
    )
    percentiles(
      "… its CPU",
      answers.map(([, cpu]) => cpu),
    )
    print(
      "memory of the process",
      `${number(before / 2 ** 20)} MB before, ${number(process.memoryUsage.rss() / 2 ** 20)} MB after`,
    )
  }).pipe(Effect.scoped, Effect.provide(layerWords))
}

/** Starts `vibe mcp`, asks it, and prints its memory. */
const mcp = async (): Promise<void> => {
  const bin = path.resolve(import.meta.dirname, "../dist/bin.js")
  const begun = performance.now()
  const child = spawn(process.execPath, [bin, "mcp"], { cwd: root, stdio: ["pipe", "pipe", "ignore"] })
  const waiting = new Map<number, () => void>()
  let rest = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) waiting.get(JSON.parse(line).id)?.()
  })
  let id = 0
  const request = (method: string, params: object) =>
    new Promise<void>((resolve) => {
      waiting.set(++id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    })
  const memory = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(fs.readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) /
    1_024
  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  })
  const query = { name: "query", arguments: { query: "where are retries of failed requests decided" } }
  await request("tools/call", query)
  print("vibe mcp, start to first answer", seconds(performance.now() - begun))
  const again = performance.now()
  await request("tools/call", query)
  print("… the same question again", `${number(performance.now() - again, 1)} ms`)
  for (let n = 0; n < 100; n++) await request("tools/call", query)
  print("… memory", `${number(memory("VmRSS"))} MB after 102 questions, at most ${number(memory("VmHWM"))} MB`)
  await new Promise((resolve) => {
    child.on("exit", resolve)
    child.stdin.end()
  })
}

const isWanted = (part: string): boolean => only.length === 0 || only.includes(part)
if (isWanted("structure")) structure()
if (isWanted("unchanged")) unchanged()
if (isWanted("commands")) commands()
if (isWanted("questions")) await Effect.runPromise(questions())
if (isWanted("mcp")) await mcp()
