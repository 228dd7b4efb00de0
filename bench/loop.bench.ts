/**
 * What a turn costs beside the SDK alone and a peer, by the programs in `peers`. All run in fresh
 * processes against the same server, in turns. vibe always streams: its figures stand beside those of peers that
 * stream, and of peers that take each answer whole.
 */
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { build } from "rolldown"
import type { Row } from "./run.ts"

const programs = path.join(import.meta.dirname, "peers")

const checkout = path.resolve(import.meta.dirname, "..")

const peers = ["google-genai", "ai-sdk-google"]

/** turns:calls:mode:chunks, `o` for whole answers. */
const conversations = ["50:1:o:1", "50:1:s:1", "200:1:o:1", "200:1:s:1", "200:8:o:1", "200:8:s:1"]
  .concat(["800:1:o:1", "800:1:s:1", "0:1:s:5000"])
  .join(",")

const times = 3

export const title = "What a turn of the loop costs beside the SDK alone and a peer, streamed and whole"

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  try {
    fs.cpSync(programs, folder, { recursive: true })
    await addArms(folder)
    if (installed(folder)) {
      return rowsOf(measured<Loop>(folder, "loop", ["vibe", ...peers], ["--configs", conversations]))
    }
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
  return []
}

/** Bundled, as the program is: else Node's stripping of types would be measured along, which takes 50 MB. */
const addArms = async (folder: string): Promise<void> => {
  fs.symlinkSync(path.join(checkout, "node_modules"), path.join(folder, "node_modules"))
  const external = ["@google/genai", "@cfworker/json-schema"]
  await build({
    input: path.join(import.meta.dirname, "arms", "loop.ts"),
    platform: "node",
    external,
    logLevel: "warn",
    output: { file: path.join(folder, "vibe-loop.mjs"), minify: true },
  })
  fs.writeFileSync(
    path.join(folder, "loop", "arms", "vibe.mjs"),
    `export const meta = { title: "vibe", peer: null, always: "stream" }
// Loading is timed apart, the SDK's too.
export const load = () => import("@google/genai").then(() => import("../../vibe-loop.mjs"))
export const run = ({ lib, ...conversation }) => lib.run(conversation)
`,
  )
}

const installed = (folder: string): boolean => {
  const { stdout } = spawnSync(process.execPath, ["install.mjs", "loop/google-genai", "loop/ai-sdk"], {
    cwd: folder,
    encoding: "utf8",
  })
  const isWhole =
    stdout !== "" &&
    stdout
      .trim()
      .split("\n")
      .every((line) => JSON.parse(line).ok === true)
  if (!isWhole) process.stdout.write("  the peers cannot be installed here: there is nothing to compare with\n")
  return isWhole
}

/** One run of one arm, as the benches write it down. */
interface Measured {
  readonly arm: string
  readonly error?: string
}

interface Loop extends Measured {
  readonly turns: number
  readonly calls: number
  readonly chunks: number
  readonly stream: boolean
  /** Milliseconds of all threads together. */
  readonly cpu: number
  readonly cpuTurn: number
  /** By the number of the turn. */
  readonly at: Readonly<Record<string, number | null>>
  /** Kilobytes. */
  readonly peakRss: number
}

const measured = <A extends Measured>(
  folder: string,
  bench: string,
  arms: ReadonlyArray<string>,
  options: ReadonlyArray<string>,
): ReadonlyArray<A> => {
  const out = path.join(folder, `${bench}.jsonl`)
  const args = [`${bench}/run.mjs`, "--arms", arms.join(","), "--out", out, ...options]
  execFileSync(process.execPath, bench === "loop" ? [...args, "--reps", String(times)] : args, { cwd: folder })
  const rows = fs.readFileSync(out, "utf8").trim().split("\n")
  return rows.map((row): A => JSON.parse(row)).filter(succeeded)
}

const succeeded = ({ arm, error }: Measured): boolean => {
  if (error !== undefined) process.stdout.write(`  ${arm} failed: ${error.split("\n")[0]}\n`)
  return error === undefined
}

/** The peer's whole answers are wanted, and where it streams as well, that too. */
const rowsOf = (loops: ReadonlyArray<Loop>): ReadonlyArray<Row> =>
  Array.from(Map.groupBy(loops, titleOf)).flatMap(([title, loops]) => {
    const isChunks = loops[0]?.turns === 0
    const of = (name: string) => `${title}: ${name}`
    const peer = of(`ai-sdk-google, ${isChunks ? "streamed" : "whole"}`)
    return Array.from(Map.groupBy(loops, nameOf), ([name, runs]): ReadonlyArray<Row> => {
      const isOwn = name.startsWith("vibe")
      const growth = runs.map(({ at }) => (at[780] ?? Number.NaN) / (at[100] ?? Number.NaN))
      return [
        {
          what: of(name),
          values: runs.map((run) => (isChunks ? (1_000 * run.cpu) / run.chunks : run.cpuTurn)),
          unit: isChunks ? "µs CPU a chunk" : "ms CPU a turn",
          ...(isOwn && { wanted: { times: 1, of: peer } }),
        },
        ...(growth.some(Number.isNaN)
          ? []
          : [
              {
                what: growthOf(name),
                values: growth,
                unit: "times",
                ...(isOwn && { wanted: { times: 1.05, of: growthOf("google-genai, whole") } }),
              },
              {
                what: memoryOf(name),
                values: runs.map(({ peakRss }) => peakRss / 1_024),
                unit: "MB",
                ...(isOwn && { wanted: { times: 1, of: memoryOf("google-genai, whole") } }),
              },
            ]),
      ]
    }).flat()
  })

const growthOf = (name: string): string => `… ${name}: turn 780 to turn 100`

const memoryOf = (name: string): string => `… ${name}: memory at most`

const titleOf = ({ calls, chunks, turns }: Loop): string =>
  turns === 0 ? `one answer of ${chunks} chunks` : `${turns} turns of ${calls} call${calls === 1 ? "" : "s"}`

const nameOf = ({ arm, stream }: Loop): string => `${arm}, ${stream ? "streamed" : "whole"}`
