/** Ends a program together with the programs that it has started. */
import { spawn, spawnSync } from "node:child_process"
import type { Environment } from "../Environment.ts"
import * as Windows from "../Windows.ts"

export interface ProcessTree {
  /** Sends a signal to all of it. SIGKILL is sent if another signal has not ended it in time. */
  readonly kill: (signal: NodeJS.Signals) => void
  /** Kills all of it before it returns, since this process is about to exit. */
  readonly killAtExit: () => void
  /** Kills the rest of it after the program itself has ended. */
  readonly killRest: () => void
}

/** The functions of the operating system. */
interface System {
  readonly platform: NodeJS.Platform
  /** Sends a signal to a process, and throws if there is no such process. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => void
  /** Starts a program, and returns at once. */
  readonly start: (program: string, args: ReadonlyArray<string>) => void
  /** Runs a program, and returns when it has ended. */
  readonly run: (program: string, args: ReadonlyArray<string>) => void
}

/** The most time for a program to end: one that does not end by itself does not keep this process alive for longer. */
const MAX_RUN_MS = 5_000

const system: System = {
  platform: process.platform,
  kill: process.kill,
  start: (program, args) => void spawn(program, args, { stdio: "ignore", windowsHide: true }).on("error", () => {}),
  run: (program, args) => void spawnSync(program, args, { stdio: "ignore", windowsHide: true, timeout: MAX_RUN_MS }),
}

/**
 * Makes the tree of a process. In Windows processes have no groups, so the tree is followed from the program itself.
 * After the end of the program nothing of it is found, and its number may be that of another process by then.
 */
export const make = (
  pid: number,
  environment: Environment,
  { kill, platform, run, start }: System = system,
): ProcessTree => {
  const tryKill = (id: number, signal: NodeJS.Signals) => {
    try {
      kill(id, signal)
    } catch {
      // No process of it exists any more.
    }
  }
  if (platform === "win32") {
    const { args, program } = Windows.endTree(pid, environment)
    return {
      // If taskkill cannot end it, at least the program itself ends.
      kill: (signal) => (signal === "SIGKILL" ? tryKill(pid, signal) : start(program, args)),
      killAtExit: () => {
        run(program, args)
        tryKill(pid, "SIGKILL")
      },
      killRest: () => {},
    }
  }
  const killGroup = (signal: NodeJS.Signals) => tryKill(-pid, signal)
  return { kill: killGroup, killAtExit: () => killGroup("SIGKILL"), killRest: () => killGroup("SIGKILL") }
}
