/** Runs of programs with what they took: time, processor time and memory. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

export interface Run {
  readonly wall: number
  /** Milliseconds of all threads together. */
  readonly cpu: number
  /** Megabytes of memory at the most; none where that is not known. */
  readonly peak: number | undefined
}

const bin = path.resolve(import.meta.dirname, "../dist/bin.js")

/** Writes down what the process has used, to its fourth stream. */
const account = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from "node:fs"
  import { isMainThread } from "node:worker_threads"
  if (isMainThread) process.on("exit", () => writeFileSync(3, JSON.stringify(process.resourceUsage())))
`)}`

/** Runs the built program. `statuses`: the exit codes that are no failure. */
export const vibe = (cwd: string, args: ReadonlyArray<string> = ["status"], statuses = [0]): Run => {
  const begun = performance.now()
  const { output, status, stderr } = spawnSync(process.execPath, ["--import", account, bin, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  })
  const wall = performance.now() - begun
  if (status === null || !statuses.includes(status)) throw new Error(`vibe ${args[0]}: exit ${status}\n${stderr}`)
  const { maxRSS, systemCPUTime, userCPUTime } = JSON.parse(output[3] ?? "")
  return { wall, cpu: (userCPUTime + systemCPUTime) / 1_000, peak: maxRSS / 1_024 }
}

/** Runs universal-ctags over a folder, and removes what it has written. */
export const ctags = (cwd: string, options: ReadonlyArray<string> = []): Run => {
  const begun = performance.now()
  const command = `TIMEFORMAT='%U %S'; time ctags ${options.join(" ")} -R -f .vibe-bench-tags .`
  const { status, stderr } = spawnSync("bash", ["-c", command], { cwd, encoding: "utf8", maxBuffer: 2 ** 30 })
  const wall = performance.now() - begun
  if (status !== 0) throw new Error(`ctags: exit ${status}\n${stderr}`)
  const [user = NaN, system = NaN] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number)
  fs.rmSync(path.join(cwd, ".vibe-bench-tags"))
  return { wall, cpu: 1_000 * (user + system), peak: undefined }
}
