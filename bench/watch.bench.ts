/**
 * What `vibe watch` costs over trees of small files, twenty a folder: until it watches, its memory, and from the write
 * of a file to the printed change. 150 ms of that are the wait for quiet.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as readline from "node:readline"
import type { Row } from "./run.ts"

export const title = "What `vibe watch` costs, in processes of the built program"

const sizes: ReadonlyArray<number> = [2_000, 20_000, 100_000]

const EDITS = 9

const bin = path.resolve(import.meta.dirname, "../dist/bin.js")

export const run = async (): Promise<ReadonlyArray<Row>> => {
  if (process.platform !== "linux") {
    process.stdout.write("  memory and processor time are read from /proc, which is not there\n")
    return []
  }
  const rows: Array<Row> = []
  for (const files of sizes) {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
    try {
      makeTree(root, files)
      spawnSync(process.execPath, [bin, "index", root, "--model", "offline", "--json"])
      rows.push(...(await measured(root, files)))
    } finally {
      fs.rmSync(root, { recursive: true })
    }
  }
  return rows
}

const FILES_IN_FOLDER = 20

const fileOf = (root: string, number: number): string => {
  const folder = Math.floor(number / FILES_IN_FOLDER)
  return path.join(root, `package${Math.floor(folder / 50)}`, `module${folder % 50}`, `file${number}.ts`)
}

const makeTree = (root: string, files: number): void => {
  for (let number = 0; number < files; number++) {
    const file = fileOf(root, number)
    if (number % FILES_IN_FOLDER === 0) fs.mkdirSync(path.dirname(file), { recursive: true })
    const first = number - (number % FILES_IN_FOLDER)
    fs.writeFileSync(
      file,
      `import { add${first} } from "./file${first}.ts"\n\n/** Adds ${number} to a number. */\nexport function add${number}(x: number): number {\n  return x + ${number}\n}\n\nexport const twice${number} = (y: number) => add${first}(y) + add${number}(y)\n`,
    )
  }
}

const measured = async (root: string, files: number): Promise<ReadonlyArray<Row>> => {
  const begin = performance.now()
  const child = spawn(process.execPath, [bin, "watch", "--json", root], { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise((resolve) => child.once("close", resolve))
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  const start = performance.now() - begin
  const idle = memory(child, "VmRSS")
  const waits: Array<number> = []
  const before = cpu(child)
  for (let edit = 0; edit < EDITS; edit++) {
    fs.appendFileSync(fileOf(root, 41 * edit), `export const edit${edit} = ${edit}\n`)
    const written = performance.now()
    await lines.next()
    waits.push(performance.now() - written)
  }
  const spent = (cpu(child) - before) / EDITS
  const rest = memory(child, "VmRSS")
  const peak = memory(child, "VmHWM")
  child.kill("SIGINT")
  await ended
  const of = (what: string) => `${files.toLocaleString("en")} files: ${what}`
  return [
    { what: of("until it watches"), values: [start] },
    { what: of("from a write to its line"), values: waits },
    { what: of("CPU of that"), values: [spent] },
    { what: of("memory, watching"), values: [idle], unit: "MB" },
    { what: of(`memory after ${EDITS} edits`), values: [rest], unit: "MB", wanted: { most: 150 } },
    { what: of("memory at most"), values: [peak], unit: "MB", wanted: { most: 150 } },
  ]
}

const memory = ({ pid }: ChildProcess, field: "VmRSS" | "VmHWM"): number => {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8")
  const [, kilobytes] = new RegExp(`^${field}:\\s*(\\d+)`, "m").exec(status) ?? []
  return Number(kilobytes) / 1_000
}

/** User and system, in milliseconds, by the hundredth of a second that Linux counts in. */
const cpu = ({ pid }: ChildProcess): number => {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
