/**
 * `npm run bench [-- NAME... --write]`: the benches of this folder, one after the other, as tables. Each is a module
 * with a `run` that returns rows; figures are medians, and only comparable within one run. `--write` puts the tables
 * into README.md beside this file, in place of those of the same benches.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

export interface Row {
  readonly what: string
  /** Milliseconds, unless a unit is named. */
  readonly values: ReadonlyArray<number>
  readonly unit?: string | undefined
  /** What is wanted of it: at most so much, or so many times the median of another row. */
  readonly wanted?: Wanted | undefined
}

export type Wanted = { readonly most: number } | { readonly times: number; readonly of: string }

const folder = import.meta.dirname
const [options, names] = [
  process.argv.slice(2).filter((word) => word.startsWith("-")),
  process.argv.slice(2).filter((word) => !word.startsWith("-")),
]
const benches = fs
  .readdirSync(folder)
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => file.replace(/\.bench\.ts$/, ""))
  .filter((name) => names.length === 0 || names.includes(name))

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

const verdict = (row: Row, rows: ReadonlyArray<Row>): readonly [ratio: string, wanted: string] => {
  const { wanted } = row
  if (wanted === undefined) return ["", ""]
  const middle = median(row.values)
  if ("most" in wanted) return ["", `≤ ${wanted.most} ${row.unit ?? "ms"}${middle <= wanted.most ? "" : ", missed"}`]
  const other = rows.find(({ what }) => what === wanted.of)
  const ratio = middle / median(other?.values ?? [])
  return [`${ratio.toFixed(2)} × ${wanted.of}`, `≤ ${wanted.times}${ratio <= wanted.times ? "" : ", missed"}`]
}

const table = (rows: ReadonlyArray<Row>): string =>
  [
    ["", "median", "least", "runs", "ratio", "wanted"],
    ["---", "---:", "---:", "---:", "---", "---"],
    ...rows.map((row) => [
      row.what,
      `${figure(median(row.values))} ${row.unit ?? "ms"}`,
      figure(Math.min(...row.values)),
      String(row.values.length),
      ...verdict(row, rows),
    ]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |\n`)
    .join("")

/** In place of the section of that name, or behind all others. */
const put = (name: string, section: string): void => {
  const file = path.join(folder, "README.md")
  const text = fs.readFileSync(file, "utf8")
  const known = new RegExp(`^## ${name}\\n[^]*?(?=^## |(?![^]))`, "m")
  fs.writeFileSync(file, known.test(text) ? text.replace(known, () => section) : `${text.trimEnd()}\n\n${section}`)
}

/** Prints the tables of one bench. */
const report = async (name: string): Promise<void> => {
  const { run, title }: { readonly run: () => Promise<ReadonlyArray<Row>>; readonly title: string } = await import(
    path.join(folder, `${name}.bench.ts`)
  )
  const rows = await run()
  if (rows.length === 0) return
  const where = `Node ${process.version}, ${os.availableParallelism()} cores`
  const section = `## ${name}\n\n${title} (${where})\n\n${table(rows)}\n`
  process.stdout.write(`\n${section}`)
  if (options.includes("--write")) put(name, section)
}

const [only, ...others] = benches
if (only !== undefined && others.length === 0) await report(only)
else {
  // Each in a process of its own: what one has used is counted to the processes that the next one starts.
  for (const name of benches) {
    spawnSync(process.execPath, [import.meta.filename, name, ...options], { stdio: "inherit" })
  }
}
