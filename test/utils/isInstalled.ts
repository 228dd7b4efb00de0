/** Whether a program is on PATH. Tests that need one which is not are skipped, so that they do not count as passed. */
import { spawnSync } from "node:child_process"

export const isInstalled = (command: string): boolean =>
  spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined
