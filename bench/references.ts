/**
 * `node bench/references.ts FOLDER [NAME...] [--worst N] [--truth FOLDER]`: compares the resolved references of an
 * index with true ones, which language servers found (`references/truth`, or files of the same form in another folder).
 *
 * FOLDER holds checkouts of the repositories, each called like its truth file (`flask`) or like its repository
 * (`pallets+flask`). They are read and not written: the index stays in memory. NAME is that of a truth file. Exits
 * with 1 where nothing was measured.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as NodeFiles from "../src/code/Files/Node.ts"
import * as Symbols from "../src/code/Symbols/Scanner.ts"
import * as Workspace from "../src/code/Workspace.ts"
import * as Sqlite from "../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../src/index/IndexStore.ts"

interface Use {
  readonly path: string
  readonly line: number
}

interface TrueSymbol {
  readonly symbol: string
  readonly name: string
  readonly kind: string
  readonly path: string
  readonly line: number
  readonly uses: ReadonlyArray<Use>
  /** What counts neither as found nor as missed. */
  readonly also: ReadonlyArray<Use>
  /**
   * Lines by file that have the name, and of which the judge does not know what it means
   * there; neither found nor missed.
   */
  readonly unresolved?: Readonly<Record<string, ReadonlyArray<number>>>
}

interface Truth {
  readonly repository: string
  readonly commit: string
  readonly language: string
  /** Files that the judge did not read. */
  readonly unseen?: ReadonlyArray<string>
  readonly symbols: ReadonlyArray<TrueSymbol>
}

interface Outcome {
  readonly of: TrueSymbol
  readonly found: ReadonlyArray<Use>
  readonly wrong: ReadonlyArray<Use>
  readonly missed: ReadonlyArray<Use>
  /** The index does not have the symbol. */
  readonly isUnknown: boolean
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    truth: { type: "string", default: path.join(import.meta.dirname, "references/truth") },
    worst: { type: "string", default: "0" },
  },
})
const [checkouts, ...names] = positionals
if (checkouts === undefined) throw new Error("name the folder that holds the checkouts")

const keyOf = (use: Use): string => `${use.path}:${use.line}`

const checkoutOf = (file: string, { repository }: Truth): string | undefined =>
  [path.basename(file, ".json"), repository.replace("/", "+")]
    .map((name) => path.join(checkouts, name))
    .find((candidate) => fs.existsSync(candidate))

/** Definitions have decorators and modifiers above their names, so the nearest one counts. */
const nearest = <A extends { readonly startLine: number }>(entries: ReadonlyArray<A>, line: number): A | undefined =>
  entries.toSorted((one, other) => Math.abs(one.startLine - line) - Math.abs(other.startLine - line))[0]

const compare = (truth: Truth, root: string) =>
  Effect.gen(function* () {
    const index = yield* (yield* IndexStore.IndexStore).open(yield* Workspace.open(root))
    yield* index.refresh
    const outcomes: Array<Outcome> = []
    for (const of of truth.symbols) {
      const entries = (yield* index.symbolsIn(of.path)).filter(
        ({ endLine, name, startLine }) => name === of.name && startLine <= of.line + 1 && of.line <= endLine,
      )
      const entry = nearest(entries, of.line)
      const given = entry === undefined ? [] : yield* index.references(entry)
      const isNeutral = new Set(of.also.map(keyOf))
      const told = new Map(
        given
          .filter(
            (use) =>
              !isNeutral.has(keyOf(use)) &&
              !truth.unseen?.includes(use.path) &&
              of.unresolved?.[use.path]?.includes(use.line) !== true,
          )
          .map((use) => [keyOf(use), { path: use.path, line: use.line }]),
      )
      const isTrue = new Set(of.uses.map(keyOf))
      outcomes.push({
        of,
        found: [...told.values()].filter((use) => isTrue.has(keyOf(use))),
        wrong: [...told.values()].filter((use) => !isTrue.has(keyOf(use))),
        missed: of.uses.filter((use) => !told.has(keyOf(use))),
        isUnknown: entry === undefined,
      })
    }
    return outcomes
  }).pipe(Effect.scoped, Effect.provide(Layer.merge(Layer.provide(Sqlite.layerMemory, Symbols.layer), NodeFiles.layer)))

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(3))

/** Means over symbols: a symbol with a thousand uses weighs as much as one with one. */
const meanOf = (outcomes: ReadonlyArray<Outcome>, of: (outcome: Outcome) => number | undefined): string => {
  const values = outcomes.flatMap((outcome) => of(outcome) ?? [])
  return share(sum(values), values.length)
}

const rowOf = (name: string, outcomes: ReadonlyArray<Outcome>): string => {
  const found = sum(outcomes.map((outcome) => outcome.found.length))
  const wrong = sum(outcomes.map((outcome) => outcome.wrong.length))
  const missed = sum(outcomes.map((outcome) => outcome.missed.length))
  const precision = meanOf(outcomes, (one) =>
    one.found.length + one.wrong.length === 0 ? undefined : one.found.length / (one.found.length + one.wrong.length),
  )
  const recall = meanOf(outcomes, (one) => one.found.length / (one.found.length + one.missed.length))
  const cells = [name, outcomes.length, found + missed, share(found, found + wrong), share(found, found + missed)]
  return `| ${[...cells, precision, recall].join(" | ")} |\n`
}

const head =
  "| | symbols | uses | precision | recall | precision, mean of symbols | recall, mean of symbols |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"

const kinds = ["function", "method", "class", "interface"]

const worstOf = (outcomes: ReadonlyArray<Outcome>, most: number): string => {
  const lines = (uses: ReadonlyArray<Use>): string => uses.slice(0, 6).map(keyOf).join(" ")
  const list = (name: string, of: (outcome: Outcome) => ReadonlyArray<Use>): string =>
    outcomes
      .filter((outcome) => of(outcome).length > 0)
      .toSorted((one, other) => of(other).length - of(one).length)
      .slice(0, most)
      .map((one) => {
        const where = `${one.of.kind} ${one.of.symbol} ${one.of.path}:${one.of.line}`
        const note = one.isUnknown ? ", which is not in the index" : ""
        return `- ${name} ${of(one).length} of ${where}${note} (${one.found.length} found): ${lines(of(one))}\n`
      })
      .join("")
  return list("wrong", ({ wrong }) => wrong) + list("missed", ({ missed }) => missed)
}

const byLanguage = new Map<string, Array<Outcome>>()
for (const file of fs.readdirSync(values.truth).filter((name) => name.endsWith(".json"))) {
  const name = path.basename(file, ".json")
  if (names.length > 0 && !names.includes(name)) continue
  const truth: Truth = JSON.parse(fs.readFileSync(path.join(values.truth, file), "utf8"))
  const root = checkoutOf(file, truth)
  if (root === undefined) {
    process.stdout.write(`${name}: no checkout of ${truth.repository} at ${truth.commit} in ${checkouts}\n\n`)
    continue
  }
  const outcomes = await Effect.runPromise(compare(truth, root))
  byLanguage.set(truth.language, [...(byLanguage.get(truth.language) ?? []), ...outcomes])
  process.stdout.write(`## ${truth.repository} (${truth.language})\n\n${head}`)
  for (const kind of kinds) {
    const ofKind = outcomes.filter(({ of }) => of.kind === kind)
    if (ofKind.length > 0) process.stdout.write(rowOf(kind, ofKind))
  }
  process.stdout.write(`${rowOf("all", outcomes)}\n${worstOf(outcomes, Number(values.worst))}\n`)
}
if (byLanguage.size === 0) {
  process.stderr.write("nothing was measured\n")
  process.exitCode = 1
} else {
  process.stdout.write(`## Languages\n\n${head}`)
  for (const [language, outcomes] of byLanguage) process.stdout.write(rowOf(language, outcomes))
}
