/** The process of `vibe serve` as it is built. */
import { type SpawnOptions, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

export const bin = path.resolve(import.meta.dirname, "../../../built/bin.js")

export const token = "a-token-for-tests-alone"

/** Resolves once it listens, with the address that it prints. `kill` ends it as a crash does. */
export const startServer = async (args: ReadonlyArray<string>, options: Pick<SpawnOptions, "cwd" | "env">) => {
  const server = spawn(process.execPath, [bin, ...args], { ...options, stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await once(server.stdout, "data")
  return {
    url: String(line).trim(),
    kill: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return
      const gone = once(server, "exit")
      server.kill("SIGKILL")
      await gone
    },
  }
}

/** A folder for a server of a test, and its removal, after the server has ended. */
export const temporaryFolder = (): { readonly folder: string; readonly remove: () => void } => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-page-"))
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }
}
