/**
 * How long the built program takes to say what a change of 50 files did, beside `git diff` of the same change, and
 * `vibe status` of the same files. In one repository of TypeScript, which this checkout makes, and in one of Python
 * where VIBE_BENCH_PYTHON names a checkout to copy.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Corpus from "./Corpus.ts"
import type { Row } from "./run.ts"

export const title = "How long the built program takes to say what a change of 50 files did to symbols and purposes"

const times = 5

const CHANGED = 50

const bin = path.resolve(import.meta.dirname, "../dist/bin.js")

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const python = process.env.VIBE_BENCH_PYTHON
  return [
    ...inRepository("TypeScript", ".ts", (root) => Corpus.make(root, 1_000)),
    ...(python === undefined
      ? []
      : inRepository("Python", ".py", (root) =>
          fs.cpSync(python, root, {
            recursive: true,
            dereference: true,
            filter: (from) => !/\/\.(?:git|vibe)$/.test(from),
          }),
        )),
  ]
}

interface Run {
  readonly wall: number
  /** Milliseconds of all threads together; none of git. */
  readonly cpu: number | undefined
}

/** Writes down the processor time of the process, to its fourth stream. */
const account = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from "node:fs"
  import { isMainThread } from "node:worker_threads"
  const cpu = () => { const { system, user } = process.cpuUsage(); return String((system + user) / 1_000) }
  if (isMainThread) process.on("exit", () => writeFileSync(3, cpu()))
`)}`

const vibe: ReadonlyArray<string> = [process.execPath, "--import", account, bin]

const inRepository = (language: string, extension: string, make: (root: string) => void): ReadonlyArray<Row> => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  try {
    make(root)
    fs.mkdirSync(path.join(root, ".vibe"))
    fs.writeFileSync(path.join(root, ".vibe", "purposes.jsonl"), "")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "--message=base")
    const code = git(root, "ls-files", "-z")
      .split("\0")
      .filter((file) => file.endsWith(extension) && !/(?:^|\/)tests?\//.test(file))
    const files = code.filter((_, index) => index % Math.floor(code.length / CHANGED) === 0).slice(0, CHANGED)
    const kilobytes = files.reduce((sum, file) => sum + fs.statSync(path.join(root, file)).size, 0) / 1_000
    const of = (what: string) => `${language}, ${files.length} files of ${Math.round(kilobytes)} kB: ${what}`
    const kinds: ReadonlyArray<readonly [what: string, changes: boolean, command: ReadonlyArray<string>]> = [
      [of("git diff"), false, ["git", "diff", "HEAD"]],
      [of("vibe status, after each edit"), true, [...vibe, "status"]],
      [of("vibe check, after each edit"), true, [...vibe, "check"]],
      [of("vibe check, again"), false, [...vibe, "check"]],
      [of("vibe diff HEAD"), false, [...vibe, "diff", "HEAD"]],
    ]
    let edits = 0
    const once = (changes: boolean, [program = "", ...args]: ReadonlyArray<string>): Run => {
      edits += 1
      if (changes) for (const file of files) edit(path.join(root, file), edits)
      const begun = performance.now()
      const { output, status, stderr } = spawnSync(program, args, {
        cwd: root,
        encoding: "utf8",
        maxBuffer: 1e9,
        stdio: ["ignore", "pipe", "pipe", "pipe"],
      })
      const wall = performance.now() - begun
      if (status !== 0) throw new Error(`${args.join(" ")}: exit ${status}\n${stderr}`)
      return { wall, cpu: output[3] ? JSON.parse(output[3]) : undefined }
    }
    // The structure, and the compile cache.
    for (const [, , command] of kinds) once(true, command)
    const taken = kinds.map((): Array<Run> => [])
    for (let round = 0; round < times; round++) {
      kinds.forEach(([, changes, command], i) => {
        taken[i]?.push(once(changes, command))
      })
    }
    return kinds.flatMap(([what], i): ReadonlyArray<Row> => {
      const runs = taken[i] ?? []
      const cpu = runs.flatMap(({ cpu }) => cpu ?? [])
      return [
        { what, values: runs.map(({ wall }) => wall) },
        ...(cpu.length === 0 ? [] : [{ what: "… its CPU", values: cpu }]),
      ]
    })
  } finally {
    fs.rmSync(root, { recursive: true })
  }
}

/** Adds a function at the end, or changes it. */
const edit = (file: string, number: number): void => {
  const text = fs.readFileSync(file, "utf8").replace(/\n[^\n]*added_by_the_bench[\s\S]*$/, "\n")
  fs.writeFileSync(
    file,
    file.endsWith(".py")
      ? `${text}\ndef added_by_the_bench(n):\n    return n + ${number}\n`
      : `${text}\nexport const added_by_the_bench = (n: number) => {\n  return n + ${number}\n}\n`,
  )
}

const git = (root: string, ...args: ReadonlyArray<string>): string => {
  const { status, stderr, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1e9 })
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`)
  return stdout
}
