/** The program as a process of its own, as test/program/build.ts has built it, in a folder and a home of its own. */
import * as assert from "node:assert"
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect } from "effect"

export const bin = path.resolve(import.meta.dirname, "../../built/bin.js")

/** Compiled code of the built program, for all tests together: each has a home of its own, where there is none. */
export const compileCache = path.resolve(import.meta.dirname, "../../built/compile-cache")

/** Makes a new Node pass for an old one. */
export const pretendOld =
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})"

/** Root may read and write whatever the permissions say. */
export const isRoot = process.getuid?.() === 0

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Options {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Node's own, before the program. */
  readonly node?: ReadonlyArray<string> | undefined
  /** In place of that one. */
  readonly bin?: string | undefined
  readonly onStart?: ((child: ChildProcess) => void) | undefined
  /** Called with the text of stderr as it arrives. */
  readonly onStderr?: ((text: string, child: ChildProcess) => void) | undefined
}

export const vibe = (args: ReadonlyArray<string>, options: Options): Effect.Effect<Ended> =>
  start(process.execPath, [...(options.node ?? []), options.bin ?? bin, ...args], options)

/** Runs `vibe loom …` in one folder, which must end well; what it prints. */
export const loomIn =
  (cwd: string) =>
  (...args: ReadonlyArray<string>): Effect.Effect<string> =>
    Effect.map(vibe(["loom", ...args], { cwd }), ({ code, stderr, stdout }) => {
      assert.strictEqual(code, 0, stderr)
      return stdout.replace(/\n$/, "")
    })

/** A line of bash with `vibe` defined. */
export const shell = (line: string, options: Options): Effect.Effect<Ended> =>
  start("bash", ["-c", `vibe() { "${process.execPath}" "${bin}" "$@"; }; ${line}`], options)

/** `vibe` in a pipe; the exit code is the program's. */
export const piped = (args: string, into: string, options: Options): Effect.Effect<Ended> =>
  shell(`vibe ${args} | ${into}; exit \${PIPESTATUS[0]}`, options)

/** The environment of a program: no key, no colour setting, no cache and no server of the machine's gets in. */
export const environmentIn = (cwd: string, env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  // Node 22.16 runs the programs of tests, which are TypeScript, only with such an option.
  NODE_OPTIONS: process.env.NODE_OPTIONS,
  HOME: cwd,
  OLLAMA_HOST: "127.0.0.1:9",
  NODE_COMPILE_CACHE: compileCache,
  ...env,
})

const start = (
  command: string,
  args: ReadonlyArray<string>,
  { cwd, env = {}, onStart, onStderr }: Options,
): Effect.Effect<Ended> =>
  Effect.async((resume) => {
    const child = spawn(command, args, {
      cwd,
      env: environmentIn(cwd, env),
      stdio: ["ignore", "pipe", "pipe"],
    })
    onStart?.(child)
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
      onStderr?.(text, child)
    })
    child.on("close", (code, signal) => resume(Effect.succeed({ code, signal, stdout, stderr })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** A folder with these files (`name/` is a folder), gone when the scope closes. Its path has no links in it. */
export const folder = (files: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-program-")))
      for (const [name, text] of Object.entries(files)) {
        const isFolder = name.endsWith("/")
        fs.mkdirSync(path.join(root, isFolder ? name : path.dirname(name)), { recursive: true })
        if (!isFolder) fs.writeFileSync(path.join(root, name), text)
      }
      return root
    }),
    (root) => Effect.sync(() => fs.rmSync(root, { recursive: true })),
  )

/** Gives a folder these permissions, until the scope closes. */
export const locked = (path: string, mode: number) =>
  Effect.acquireRelease(
    Effect.sync(() => fs.chmodSync(path, mode)),
    () => Effect.sync(() => fs.chmodSync(path, 0o755)),
  )
