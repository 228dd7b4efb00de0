/** How long the built program takes to start and to do little. Interleaved, so that a busy moment hits all alike. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Corpus from "./Corpus.ts"
import type { Row, Wanted } from "./run.ts"

export const title = "How long the built program takes to start and to do little, beside an empty Node"

const times = 15

const bin = path.resolve(import.meta.dirname, "../dist/bin.js")

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  fs.writeFileSync(path.join(cwd, "a.ts"), "/** Adds. */\nexport const add = (a: number, b: number) => a + b\n")
  const repository = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  Corpus.make(repository, 1_000)
  // As in a fresh clone: what there is to know without a model is made by the first query, which does not count.
  fs.mkdirSync(path.join(repository, ".vibe"))
  fs.writeFileSync(path.join(repository, ".vibe", "purposes.jsonl"), "")
  const line = path.join(cwd, "line.mjs")
  fs.writeFileSync(line, 'console.log("0.1.0")\n')
  const commands: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>, wanted?: Wanted]> = [
    ["node -e 0", ["-e", "0"]],
    ["a script of one line", [line]],
    ["vibe --version", [bin, "--version"], { times: 1.2, of: "a script of one line" }],
    ["vibe --help", [bin, "--help"], { times: 4, of: "a script of one line" }],
    ["vibe index, one file, offline", [bin, "index", "--model", "offline"]],
    ["vibe query, one file", [bin, "query", "add"]],
    [
      "vibe query, 1,000 files",
      [bin, "query", "--root", repository, "where are retries decided"],
      { times: 6, of: "node -e 0" },
    ],
  ]
  const once = (args: ReadonlyArray<string>): number => {
    const begun = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" })
    if (status !== 0) throw new Error(`${args.join(" ")}: exit ${status}\n${stderr}`)
    return performance.now() - begun
  }
  // Once each to warm up: the compile cache, and the index that the query asks.
  for (const [, args] of commands) once(args)
  const taken = commands.map((): Array<number> => [])
  for (let round = 0; round < times; round++) {
    commands.forEach(([, args], i) => {
      taken[i]?.push(once(args))
    })
  }
  for (const folder of [cwd, repository]) fs.rmSync(folder, { recursive: true })
  return commands.map(([what, , wanted], i) => ({ what, values: taken[i] ?? [], wanted }))
}
