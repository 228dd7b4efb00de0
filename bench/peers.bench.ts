/**
 * How long other programs for the terminal take to print their version and help, beside the built program. They are
 * installed by npm into VIBE_BENCH_PEERS, some 1.4 GB, which is kept: without that variable
 * there is nothing to compare with.
 */
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { Row } from "./run.ts"

export const title = "How long programs for the terminal take to print their version and help, each as npm installs it"

const times = 5

const folder = path.join(import.meta.dirname, "peers")

/** The package of each, with its command. Those without a script of Node are compiled. */
const peers = {
  "start/codex": ["@openai/codex", "codex"],
  "start/pi": ["@earendil-works/pi-coding-agent", "pi"],
  "start/opencode": ["opencode-ai", "opencode"],
  "start/gemini-cli": ["@google/gemini-cli", "gemini"],
  "start/claude-code": ["@anthropic-ai/claude-code", "claude"],
} as const

/** What starts it; none where it could not be installed. */
const commandOf = (
  installed: string,
  [peer, [name, command]]: readonly [string, readonly [string, string]],
): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const root = path.join(installed, peer, "node_modules", name)
  if (!fs.existsSync(root)) return []
  const { bin, version }: { bin: string | Record<string, string>; version: string } = JSON.parse(
    fs.readFileSync(path.join(root, "package.json"), "utf8"),
  )
  const file = path.join(root, typeof bin === "string" ? bin : (bin[command] ?? ""))
  const isScript = fs.readFileSync(file).subarray(0, 40).toString("latin1").includes("node") || /\.[cm]?js$/.test(file)
  return [[`${name} ${version}`, isScript ? [process.execPath, file] : [file]]]
}

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const installed = process.env.VIBE_BENCH_PEERS
  if (installed === undefined) {
    process.stdout.write("  VIBE_BENCH_PEERS names no folder for the peers: there is nothing to compare with\n")
    return []
  }
  execFileSync(process.execPath, ["install.mjs", "start/"], {
    cwd: folder,
    env: { ...process.env, BENCH_PEERS: path.resolve(installed) },
    stdio: ["ignore", "ignore", "inherit"],
  })
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  const line = path.join(home, "line.mjs")
  fs.writeFileSync(line, 'console.log("0.1.0")\n')
  const commands = [
    ["a script of one line", [process.execPath, line]],
    ["vibe", [process.execPath, path.resolve(import.meta.dirname, "../dist/bin.js")]],
    ...Object.entries(peers).flatMap((peer) => commandOf(path.resolve(installed), peer)),
  ] as const
  const env = { PATH: process.env.PATH, HOME: home, TERM: "dumb", NO_COLOR: "1", DISABLE_AUTOUPDATER: "1", CI: "1" }
  const rows = ["--version", "--help"].flatMap((option) =>
    commands.map(([name, [command = "", ...args]]) => ({
      what: `${name} ${option}`,
      command,
      args: [...args, option],
      values: [] as number[],
    })),
  )
  // The first two rounds warm up the compile caches.
  for (let round = -2; round < times; round++)
    for (const { args, command, values, what } of rows) {
      const begun = performance.now()
      const { status } = spawnSync(command, args, { cwd: home, env, stdio: "ignore", timeout: 60_000 })
      if (status !== 0) throw new Error(`${what}: exit ${status}`)
      if (round >= 0) values.push(performance.now() - begun)
    }
  fs.rmSync(home, { recursive: true })
  return rows.map(({ values, what }) => ({ what, values }))
}
