/** The program in a pseudo-terminal (util-linux's `script`), seen through a terminal of another project. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import xterm from "@xterm/headless"
import { Cause, Deferred, Effect, FiberId } from "effect"
import { bin, environmentIn } from "./vibe.ts"

export const isAvailable = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0

export interface Seen {
  /** Waits until the screen holds this; fails with what it holds where the program ends before. */
  readonly until: (words: string | RegExp) => Effect.Effect<string>
  /** The screen as it is, and what has scrolled off it, a line each, without white space at the end. */
  readonly screen: Effect.Effect<string>
  readonly type: (keys: string) => Effect.Effect<void>
  /** Sends it a signal. */
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** Takes the terminal away from it. */
  readonly hangUp: Effect.Effect<void>
  /** The exit code, once it has ended. */
  readonly ended: Effect.Effect<number | null>
  /** All that was written to the terminal. */
  readonly raw: Effect.Effect<string>
}

export interface Options {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

export const open = (args: ReadonlyArray<string>, { columns = 80, cwd, env = {}, rows = 24 }: Options) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true })
      const program = [process.execPath, bin, ...args].map(quoted).join(" ")
      const child = spawn("script", ["-qfec", `stty cols ${columns} rows ${rows}; exec ${program}`, "/dev/null"], {
        cwd,
        env: environmentIn(cwd, { TERM: "xterm-256color", ...env }),
        stdio: ["pipe", "pipe", "ignore"],
      })
      return { child, terminal, seen: watch(child, terminal) }
    }),
    ({ child, terminal }) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
        terminal.dispose()
      }),
  ).pipe(Effect.map(({ seen }) => seen))

const watch = (child: ChildProcess, terminal: xterm.Terminal): Seen => {
  const lookers = new Set<() => void>()
  const look = () => {
    for (const looker of lookers) looker()
  }
  let raw = ""
  let isOver = false
  const over = Deferred.unsafeMake<number | null>(FiberId.none)
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    raw += text
    terminal.write(text, look)
  })
  // What a terminal answers to questions about it.
  terminal.onData((text) => child.stdin?.write(text))
  child.stdin?.on("error", () => {})
  child.on("close", (code) => {
    terminal.write("", () => {
      isOver = true
      Deferred.unsafeDone(over, Effect.succeed(code))
      look()
    })
  })
  const screen = () => {
    const { active } = terminal.buffer
    const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "")
    return lines.join("\n").trimEnd()
  }
  const holds = (words: string | RegExp) =>
    typeof words === "string" ? screen().includes(words) : words.test(screen())
  return {
    until: (words) =>
      Effect.async<string>((resume) => {
        const looker = () => {
          if (holds(words)) resume(Effect.sync(screen))
          else if (isOver) resume(Effect.dieMessage(`it ended before it showed ${words}:\n${screen()}`))
          else return
          lookers.delete(looker)
        }
        lookers.add(looker)
        looker()
        return Effect.sync(() => lookers.delete(looker))
      }).pipe(
        // Whoever waits in vain wants to know what there was instead.
        Effect.timeoutFailCause({
          duration: "12 seconds",
          onTimeout: () => Cause.die(new Error(`it has not shown ${words}:\n${screen()}`)),
        }),
      ),
    screen: Effect.sync(screen),
    type: (keys) => Effect.sync(() => void child.stdin?.write(keys)),
    signal: (signal) =>
      Effect.sync(() => {
        const { pid } = child
        const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim()
        process.kill(Number(children), signal)
      }),
    hangUp: Effect.sync(() => void child.kill("SIGKILL")),
    ended: Deferred.await(over),
    raw: Effect.sync(() => raw),
  }
}
