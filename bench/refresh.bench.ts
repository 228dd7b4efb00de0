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
