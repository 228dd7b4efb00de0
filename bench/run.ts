/**
 * `npm run bench [NAME...]`: the benches of this folder, one after the other. Each is a module whose `run` returns
 * rows; figures are medians, and only comparable within one run.
 */
import * as fs from "node:fs"
import * as path from "node:path"

export interface Row {
  readonly what: string
  readonly milliseconds: ReadonlyArray<number>
}

const folder = import.meta.dirname
const asked = process.argv.slice(2)
const benches = fs
  .readdirSync(folder)
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => file.replace(/\.bench\.ts$/, ""))
  .filter((name) => asked.length === 0 || asked.includes(name))

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

for (const name of benches) {
  const { run }: { readonly run: () => Promise<ReadonlyArray<Row>> } = await import(
    path.join(folder, `${name}.bench.ts`)
  )
  process.stdout.write(`\n${name} (Node ${process.version})\n`)
  for (const { milliseconds, what } of await run()) {
    const [middle, least] = [median(milliseconds), Math.min(...milliseconds)]
    process.stdout.write(
      `  ${what.padEnd(32)} ${middle.toFixed(1).padStart(8)} ms   (least ${least.toFixed(1)}, ${milliseconds.length}×)\n`,
    )
  }
}
