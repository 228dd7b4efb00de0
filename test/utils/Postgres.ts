/** A Postgres of this machine for one test, on a port and in a folder of its own. */
import { execFileSync, spawn } from "node:child_process"
import { accessSync, chownSync, constants, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import * as path from "node:path"

export interface Postgres {
  /** Of an empty database. */
  readonly url: string
  /** Runs a statement with psql, and returns what it prints: values alone. */
  readonly psql: (statement: string, database?: string) => string
  /** The processor time of all its processes so far, in seconds; 0 where the system has no /proc. */
  readonly cpuSeconds: () => number
  readonly end: () => Promise<void>
}

const folders = [
  ...(process.env.PATH ?? "").split(path.delimiter),
  ...globSync("/usr/lib/postgresql/*/bin"),
  "/opt/homebrew/opt/postgresql/bin",
]

const isProgram = (file: string) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The folder of its programs; undefined where it is not installed: then tests that need it are skipped. */
export const programs: string | undefined = folders.find((folder) =>
  ["initdb", "postgres", "psql"].every((name) => isProgram(path.join(folder, name))),
)

/** Postgres refuses to run as root: there it runs as nobody. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** A database of a test need not survive a crash, nor be tidied up, and its statements are too short to be compiled. */
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum=off",
  "jit=off",
]

export const start = async (): Promise<Postgres> => {
  if (programs === undefined) throw new Error("there is no Postgres here")
  const bin = programs
  const folder = mkdtempSync(path.join(tmpdir(), "vibe-postgres-"))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, "data")
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, HOME: folder, LC_ALL: "C" } }
  execFileSync(path.join(bin, "initdb"), ["-D", data, "-U", "vibe", "-A", "trust", "--no-sync", "-E", "UTF8"], {
    ...options,
    stdio: "ignore",
  })
  const port = await freePort()
  const settings = [...SETTINGS, "listen_addresses=127.0.0.1", "max_connections=60"].flatMap((each) => ["-c", each])
  const server = spawn(path.join(bin, "postgres"), ["-D", data, "-p", String(port), "-k", folder, ...settings], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  })
  const gone = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let said = ""
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text
      if (said.includes("ready to accept connections")) resolve()
    })
    server.once("exit", () => reject(new Error(`Postgres has not started: ${said}`)))
  })
  return {
    url: `postgres://vibe@127.0.0.1:${port}/postgres`,
    psql: (statement, database = "postgres") =>
      execFileSync(
        path.join(bin, "psql"),
        ["-h", "127.0.0.1", "-p", String(port), "-U", "vibe", "-d", database, "-Atc", statement],
        { ...options, encoding: "utf8" },
      ).trim(),
    cpuSeconds: () => ticksOf(server.pid ?? 0) / 100,
    end: async () => {
      server.kill("SIGQUIT")
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Of a process and those that it has started, in hundredths of a second: also of those that have ended. */
const ticksOf = (pid: number): number => {
  try {
    const fields = (of: string) =>
      readFileSync(`/proc/${of}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ")
    const own = fields(String(pid)).slice(11, 15).map(Number)
    const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && fields(name)[1] === String(pid))
    const ofChildren = children.flatMap((name) => fields(name).slice(11, 13).map(Number))
    return [...own, ...ofChildren].reduce((sum, ticks) => sum + ticks, 0)
  } catch {
    return 0
  }
}
