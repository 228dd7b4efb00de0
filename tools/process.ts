/** Other programs, started from a script of this folder. */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

/** The checkout. */
export const root = path.resolve(import.meta.dirname, "..")

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Options {
  readonly cwd?: string | undefined
  /** In place of the environment of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined
  /** What is on its stdin, which is empty without this. */
  readonly input?: string | undefined
  /** A text of its stdout, at which its stdin ends: a server would end before its answers otherwise. */
  readonly until?: string | undefined
}

export const attempt = (
  command: string,
  args: ReadonlyArray<string>,
  { cwd = root, env = process.env, input, until }: Options = {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env })
    // A program that ends without reading is no failure.
    child.stdin.on("error", () => {})
    if (until === undefined) child.stdin.end(input)
    else child.stdin.write(input ?? "")
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
      if (until !== undefined && stdout.includes(until)) child.stdin.end()
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

/** Throws with all it said where it does not exit with 0. */
const succeed = async (command: string, args: ReadonlyArray<string>, options?: Options): Promise<Ended> => {
  const ended = await attempt(command, args, options)
  if (ended.code === 0) return ended
  throw new Error(`${[command, ...args].join(" ")}: exit ${ended.code}\n${ended.stdout}${ended.stderr}`)
}

/** Its stdout; throws with all it said where it does not exit with 0. */
export const run = async (command: string, args: ReadonlyArray<string>, options?: Options): Promise<string> => {
  const { stdout } = await succeed(command, args, options)
  return stdout
}

/** npm, whose command is on Windows a script that only a shell starts: there the program beside this Node. */
const runNpm = (args: ReadonlyArray<string>, options?: Options): Promise<Ended> => {
  if (process.platform !== "win32") return succeed("npm", args, options)
  const beside = path.join(path.dirname(process.execPath), "node_modules/npm/bin/npm-cli.js")
  return succeed(process.execPath, [process.env.npm_execpath ?? beside, ...args], options)
}

/** Its stdout; throws with all it said where it does not exit with 0. */
export const npm = async (args: ReadonlyArray<string>, options?: Options): Promise<string> => {
  const { stdout } = await runNpm(args, options)
  return stdout
}

/** The lines of npm that warn; throws with all it said where it does not exit with 0. */
export const npmWarnings = async (args: ReadonlyArray<string>, options?: Options): Promise<ReadonlyArray<string>> => {
  // The checkout asks npm for errors alone, and the environment of `npm run` repeats that.
  const { stderr } = await runNpm([...args, "--loglevel=warn"], options)
  return stderr.split("\n").filter((line) => line.startsWith("npm warn"))
}

/** Makes a folder with these files, hands it over, and takes it away. */
export const inFolder = async <A>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<A>,
): Promise<A> => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-check-")))
  try {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      fs.writeFileSync(path.join(folder, name), text)
    }
    return await use(folder)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

export interface Counts {
  readonly passed: number
  readonly failed: number
}

/** For `.ci/run`, which adds up what the scripts it starts leave in the file named by COUNTS. */
export const leaveCounts = ({ failed, passed }: Counts): void => {
  if (process.env.COUNTS !== undefined) fs.writeFileSync(process.env.COUNTS, `${passed} ${failed}\n`)
  process.exitCode = failed > 0 ? 1 : 0
}
