/** Ends a program together with the programs that it has started. */
import { spawn, spawnSync } from "node:child_process"
import type { Environment } from "../Environment.ts"
import * as Windows from "../Windows.ts"

export interface ProcessTree {
  /** SIGKILL is sent where another signal has not ended it in time. */
  readonly kill: (signal: NodeJS.Signals) => void
  /** Kills all of it before it returns, since this process is about to exit. */
  readonly killAtExit: () => void
  /** Kills what is left of it after the program itself has ended. */
  readonly killRest: () => void
}

/** What the operating system does. */
export interface System {
  readonly platform: NodeJS.Platform
  /** Throws where there is no such process. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => void
  /** Returns at once. */
  readonly start: (program: string, args: ReadonlyArray<string>) => void
  /** Returns when the program has ended. */
  readonly run: (program: string, args: ReadonlyArray<string>) => void
}

/** A program that does not end by itself does not keep this process alive for longer. */
const MAX_RUN_MS = 5_000

const system: System = {
  platform: process.platform,
  kill: process.kill,
  start: (program, args) => void spawn(program, args, { stdio: "ignore", windowsHide: true }).on("error", () => {}),
  run: (program, args) => void spawnSync(program, args, { stdio: "ignore", windowsHide: true, timeout: MAX_RUN_MS }),
}

/**
 * In Windows processes have no groups: the tree is followed from the program itself, so that after its end nothing of it is
 * found, and its number may be that of another process by then.
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
      // Nothing of it is there any more.
    }
  }
  if (platform === "win32") {
    const { args, program } = Windows.endTree(pid, environment)
    return {
      // Where taskkill cannot end it, at least the program itself ends.
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
