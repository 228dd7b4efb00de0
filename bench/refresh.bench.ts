/**
 * How long the built program takes to bring an index up to date, beside universal-ctags on the same files, where that
 * is installed. Process start is in all figures. `vibe status` is the command: it refreshes, and does next to nothing
 * else.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Corpus from "./Corpus.ts"
import { ctags, type Run, vibe } from "./programRun.ts"
import type { Row, Wanted } from "./run.ts"

export const title = "How long the built program takes to bring an index up to date, beside universal-ctags"

/** How many files, and how often. */
const sizes: ReadonlyArray<readonly [files: number, times: number]> = [
  [1_000, 5],
  [10_000, 3],
]

export const run = async (): Promise<ReadonlyArray<Row>> => {
  const hasCtags = spawnSync("ctags", ["--version"], { encoding: "utf8" }).stdout?.includes("Universal Ctags") ?? false
  if (!hasCtags) process.stdout.write("  universal-ctags is not installed: nothing to compare with\n")
  return [
    ...sizes.flatMap(([files, times]) => inRepository(files, (root) => measured(root, files, times, hasCtags))),
    inRepository(0, shellScript),
    ...largePackages(),
  ]
}

/** What Node 24 would take 800 MB for, if it optimised the grammar. */
const shellScript = (root: string): Row => {
  fs.writeFileSync(path.join(root, "script.sh"), 'greet() {\n  echo "hello, $1"\n}\n'.repeat(1_000))
  const peaks = Array.from({ length: 3 }, () => {
    forget(root)
    return vibe(root).peak ?? []
  })
  return { what: "one shell script: vibe, its memory at most", values: peaks.flat(), unit: "MB", wanted: { most: 400 } }
}

/** The files of two packages of Go of which each file sees the names of all others, as in golang.org/x/sys/unix. */
const packageSizes = [100, 200]
const CONSTANTS_PER_FILE = 300
const USES_PER_FILE = 60

/** The larger package has four times the pairs of files, and must not take four times the time. */
const largePackages = (): ReadonlyArray<Row> => {
  const nameOf = (files: number) =>
    `one Go package with ${(files * CONSTANTS_PER_FILE).toLocaleString("en")} constants in ${files} files`
  const values = packageSizes.map((files) =>
    inRepository(0, (root) => {
      for (let file = 0; file < files; file++) fs.writeFileSync(path.join(root, `a${file}.go`), goFile(file, files))
      return Array.from({ length: 3 }, () => {
        forget(root)
        return vibe(root).cpu
      })
    }),
  )
  const [smaller = 0] = packageSizes
  return packageSizes.map((files, i) => ({
    what: `${nameOf(files)}: CPU`,
    values: values[i] ?? [],
    ...(files > smaller && { wanted: { times: 2.5, of: `${nameOf(smaller)}: CPU` } }),
  }))
}

/** A file of a package with constants of its own and a function that uses those of other files. */
const goFile = (file: number, files: number): string => {
  const constants = Array.from({ length: CONSTANTS_PER_FILE }, (_, n) => `\tC${file}x${n} = ${n}\n`).join("")
  const uses = Array.from(
    { length: USES_PER_FILE },
    (_, n) => `\tsum += C${(file + 7 * n + 1) % files}x${(31 * n) % CONSTANTS_PER_FILE}\n`,
  ).join("")
  return `package constants\n\nconst (\n${constants})\n\nfunc Sum${file}() int {\n\tsum := 0\n${uses}\treturn sum\n}\n`
}

const inRepository = <A>(files: number, use: (root: string) => A): A => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  try {
    Corpus.make(root, files)
    return use(root)
  } finally {
    fs.rmSync(root, { recursive: true })
  }
}

/** Interleaved, so that a busy moment hits all alike. */
const measured = (root: string, files: number, times: number, hasCtags: boolean): ReadonlyArray<Row> => {
  const nothing = () => {}
  const of = (what: string) => `${files.toLocaleString("en")} files: ${what}`
  const [peer, unchanged] = [of("universal-ctags"), of("vibe, nothing changed")]
  const kinds: ReadonlyArray<
    readonly [what: string, before: (root: string) => void, once: (root: string) => Run, wanted?: Wanted]
  > = [
    ...(hasCtags ? [[peer, nothing, ctags] as const] : []),
    [of("vibe, all of them new"), forget, vibe, { times: files > 1_000 ? 1.2 : 4, of: peer }],
    [unchanged, nothing, vibe, { times: 0.5, of: peer }],
    // 0.3 of it above it.
    [of("vibe, one file changed"), change, vibe, { times: 1.3, of: unchanged }],
  ]
  change(root)
  const runs = kinds.map((): Array<Run> => [])
  for (let round = 0; round < times; round++) {
    kinds.forEach(([, before, once], i) => {
      before(root)
      runs[i]?.push(once(root))
    })
  }
  return kinds.flatMap(([what, , , wanted], i): ReadonlyArray<Row> => {
    const peaks = runs[i]?.flatMap(({ peak }) => peak ?? []) ?? []
    return [
      { what, values: runs[i]?.map(({ wall }) => wall) ?? [], ...(hasCtags && { wanted }) },
      { what: "… its CPU", values: runs[i]?.map(({ cpu }) => cpu) ?? [] },
      ...(peaks.length === 0
        ? []
        : [{ what: "… its memory at most", values: peaks, unit: "MB", wanted: { most: 400 } }]),
    ]
  })
}

/** Only what models wrote is there, and that is nothing: as in a fresh clone. */
const forget = (root: string): void => {
  fs.rmSync(path.join(root, ".vibe"), { recursive: true, force: true })
  fs.mkdirSync(path.join(root, ".vibe"))
  fs.writeFileSync(path.join(root, ".vibe", "purposes.jsonl"), "")
}

let changes = 0

const change = (root: string): void =>
  fs.writeFileSync(path.join(root, "packages", "changed.ts"), `export const changed = ${changes++}\n`)
