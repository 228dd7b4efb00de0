/**
 * `node bench/costs.ts FOLDER [--model ID]... [--bin FILE]`: what `vibe index --estimate --all` says that a run over
 * each checkout of the folder would cost, by model, and for 100,000 lines of code. No model is asked and nothing is
 * spent. Lines are those of files of code, tests among them, with their blanks and comments; `--bin` is the program
 * (this checkout's source, if absent).
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { codeFiles } from "./retrieval/Bm25.ts"
import { print } from "./retrieval/peers.ts"

interface Estimate {
  readonly all: {
    readonly symbols: number
    readonly requests: number
    readonly inputTokens: number
    readonly outputTokens: number
  }
  readonly models: ReadonlyArray<{ readonly id: string; readonly all: number | null }>
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    bin: { type: "string", default: path.resolve(import.meta.dirname, "../src/bin.ts") },
    model: { type: "string", multiple: true, default: ["google/gemini-2.5-flash"] },
  },
})

const [folder] = positionals
if (folder === undefined) throw new Error("name the folder that holds the checkouts")

const linesOf = (root: string): number =>
  codeFiles(root).reduce((sum, file) => sum + fs.readFileSync(path.join(root, file), "utf8").split("\n").length - 1, 0)

const estimate = (root: string, model: string): Estimate =>
  JSON.parse(
    print(process.execPath, [values.bin, "index", root, "--estimate", "--all", "--json", "--model", model], root),
  )

const dollars = (amount: number): string => (amount < 0.1 ? amount.toFixed(3) : amount.toFixed(2))

const rows: Array<{
  readonly lines: number
  readonly costs: ReadonlyMap<string, number>
  readonly cells: ReadonlyArray<string>
}> = []
for (const name of fs.readdirSync(folder).sort()) {
  const checkout = fs.realpathSync(path.join(folder, name))
  if (name.startsWith(".") || name.includes("@") || !fs.statSync(checkout).isDirectory()) continue
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-costs-")))
  try {
    fs.cpSync(checkout, root, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !/[\\/]\.(git|vibe)$/.test(file),
    })
    const lines = linesOf(root)
    const estimates = values.model.map((model) => estimate(root, model))
    const costs = new Map(
      estimates.flatMap(({ models }) => models.map(({ all, id }) => [id, all ?? Number.NaN] as const)),
    )
    const all = estimates[0]?.all ?? { symbols: 0, requests: 0, inputTokens: 0, outputTokens: 0 }
    const counts = [lines, all.symbols, all.requests, all.inputTokens, all.outputTokens]
    rows.push({ lines, costs, cells: [name.replace("+", "/"), ...counts.map((count) => count.toLocaleString("en"))] })
  } finally {
    fs.rmSync(root, { recursive: true })
  }
}

const models = [...new Set(rows.flatMap(({ costs }) => [...costs.keys()]))]
const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |\n`
const lines = rows.reduce((sum, row) => sum + row.lines, 0)
const of = (model: string): number => rows.reduce((sum, { costs }) => sum + (costs.get(model) ?? Number.NaN), 0)
process.stdout.write(
  [
    line(["", "lines", "symbols", "requests", "tokens in", "out", ...models]),
    line(["---", ...new Array<string>(5 + models.length).fill("---:")]),
    ...rows.map(({ cells, costs }) =>
      line([...cells, ...models.map((model) => `$${dollars(costs.get(model) ?? Number.NaN)}`)]),
    ),
    line([
      "100,000 lines of all",
      "",
      "",
      "",
      "",
      "",
      ...models.map((model) => `$${dollars((of(model) / lines) * 100_000)}`),
    ]),
  ].join(""),
)
