/** How long the built program takes to start and to do little. Interleaved, so that a busy moment hits all alike. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { Row } from "./run.ts"

const times = 15

const bin = path.resolve(import.meta.dirname, "../dist/bin.js")

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  fs.writeFileSync(path.join(cwd, "a.ts"), "/** Adds. */\nexport const add = (a: number, b: number) => a + b\n")
  const commands: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>]> = [
    ["node -e 0 (the floor)", ["-e", "0"]],
    ["vibe --version", [bin, "--version"]],
    ["vibe --help", [bin, "--help"]],
    ["vibe index, one file, offline", [bin, "index", "--model", "offline"]],
    ["vibe query, one file", [bin, "query", "add"]],
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
  fs.rmSync(cwd, { recursive: true })
  return commands.map(([what], i) => ({ what, milliseconds: taken[i] ?? [] }))
}
