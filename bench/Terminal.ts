/** A program in a pseudo-terminal (util-linux's `script`), and what Linux says of what it takes. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"

export const isAvailable = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0

export interface Terminal {
  /** Milliseconds from its start until it has shown this since it was last asked. */
  readonly shown: (text: string) => Promise<number>
  readonly type: (keys: string) => void
  /** Processor time so far, in milliseconds. */
  readonly cpu: () => number
  /** The most memory that it held at a time, in megabytes. */
  readonly peak: () => number
  readonly close: () => Promise<void>
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

export const open = async (
  args: ReadonlyArray<string>,
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Terminal> => {
  const command = `stty cols 100 rows 40; echo pid=$$=; exec ${[process.execPath, ...args].map(quoted).join(" ")}`
  const begun = performance.now()
  const child: ChildProcess = spawn("script", ["-qfec", `sh -c ${quoted(command)}`, "/dev/null"], {
    cwd,
    env: { ...process.env, TERM: "xterm-256color", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  })
  let output = ""
  let looked = () => {}
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text
    looked()
  })
  child.on("exit", () => looked())
  const shown = (text: string): Promise<number> =>
    new Promise((resolve, reject) => {
      looked = () => {
        const at = output.indexOf(text)
        if (at >= 0) {
          output = output.slice(at + text.length)
          resolve(performance.now() - begun)
        } else if (child.exitCode !== null)
          reject(new Error(`it ended before it showed ${text}: ${output.slice(-500)}`))
      }
      looked()
    })
  await shown("pid=")
  await shown("=")
  const pid = spawnSync("pgrep", ["-P", String(child.pid)], { encoding: "utf8" }).stdout.trim()
  return {
    shown,
    type: (keys) => child.stdin?.write(keys),
    cpu: () => {
      const fields = fs
        .readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
      // In ticks of a hundredth of a second: user and system.
      return 10 * (Number(fields[11]) + Number(fields[12]))
    },
    peak: () => Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
    close: async () => {
      // The program loses its terminal, and leaves.
      child.kill("SIGKILL")
      if (child.exitCode === null) await once(child, "exit")
    },
  }
}
