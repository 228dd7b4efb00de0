/**
 * `node bench/repositories.ts FOLDER QUESTIONS [--details]`: how good one list of answers from several indexes is.
 *
 * FOLDER holds checkouts of flask, requests, xarray, pytest and sphinx, named `owner+name`, at the commits that
 * QUESTIONS names; its rows are those of a retrieval benchmark:
 * `{repo, commit, question, gold_files, gold_symbols}`, a JSON object a line. Each checkout is copied and indexed
 * without a model, by itself, and all of them once more as one folder. Each question is asked of the index of its
 * own repository alone, which is as good as it gets; of the index of the one folder; and of the five indexes, with
 * their answers put into one list in several ways. Prints mean reciprocal rank and recall at 10, of files and of
 * symbols, with the difference to the one folder and its 95 % bootstrap interval.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { layerWords } from "../src/app/Indexing.ts"
import * as Workspace from "../src/code/Workspace.ts"
import type { IndexEntry } from "../src/index/IndexEntry.ts"
import * as IndexStore from "../src/index/IndexStore.ts"
import * as JoinedIndex from "../src/lookup/repositories/JoinedIndex.ts"

const REPOSITORIES = ["pallets/flask", "psf/requests", "pydata/xarray", "pytest-dev/pytest", "sphinx-doc/sphinx"]

const MOST = 10

interface Question {
  readonly id: string
  readonly repo: string
  readonly commit: string
  readonly question: string
  readonly gold_files: ReadonlyArray<string>
  readonly gold_symbols: ReadonlyArray<{ path: string; name: string; startLine: number; endLine: number }>
}

/** A place that was found; its path begins with the name of the repository. */
type Found = Pick<IndexEntry, "path" | "qualifiedName" | "startLine" | "endLine">

type Ask = (question: Question) => Effect.Effect<ReadonlyArray<Found>, unknown>

/** File MRR, file recall, symbol MRR and symbol recall; the last two of questions with a known symbol. */
type Scores = readonly [number, number, number | undefined, number | undefined]

const nameOf = (repository: string): string => path.basename(repository)

const run = (folder: string, questions: ReadonlyArray<Question>, details: boolean) =>
  Effect.gen(function* () {
    const top = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(top, { recursive: true })))
    const store = yield* IndexStore.IndexStore
    const open = (root: string) =>
      Effect.tap(Effect.flatMap(Workspace.open(root), store.open), ({ refresh }) => refresh)
    const members: Array<JoinedIndex.Member> = []
    for (const repository of REPOSITORIES) {
      const commit = questions.find(({ repo }) => repo === repository)?.commit ?? ""
      const [owner, name = ""] = repository.split("/")
      const checkout = [`${owner}+${name}@${commit.slice(0, 12)}`, `${owner}+${name}`]
        .map((one) => path.join(folder, one))
        .find((one) => fs.existsSync(one))
      if (checkout === undefined) throw new Error(`there is no checkout of ${repository} in ${folder}`)
      fs.cpSync(fs.realpathSync(checkout), path.join(top, name), { recursive: true, dereference: true })
      members.push({ name, index: yield* open(path.join(top, name)) })
    }
    const one = yield* open(top)
    const joined = JoinedIndex.make(members)

    const entries = (hits: ReadonlyArray<IndexStore.Hit>) => hits.map(({ entry }) => entry)
    /** The lists of all, each searched as if it were alone. */
    const lists = ({ question }: Question) =>
      Effect.forEach(members, ({ index, name }) =>
        Effect.map(index.search(question, { limit: MOST }), (hits) =>
          hits.map(({ entry, score }) => ({
            found: { ...entry, qualifiedName: entry.qualifiedName, path: `${name}/${entry.path}` },
            score,
          })),
        ),
      )
    const best = (found: ReadonlyArray<{ readonly found: Found; readonly score: number }>) =>
      found.toSorted((a, b) => b.score - a.score).map(({ found }) => found)
    const arms: ReadonlyArray<readonly [what: string, ask: Ask]> = [
      ["one folder with all five", ({ question }) => Effect.map(one.search(question, { limit: 2 * MOST }), entries)],
      [
        "its own repository alone",
        ({ question, repo }) => Effect.map(joined.search(question, { limit: 2 * MOST, path: nameOf(repo) }), entries),
      ],
      [
        "five indexes, words counted in all (now)",
        ({ question }) => Effect.map(joined.search(question, { limit: 2 * MOST }), entries),
      ],
      ["five indexes, scores as they are", (question) => Effect.map(lists(question), (lists) => best(lists.flat()))],
      [
        "five indexes, scores as shares of the first",
        (question) =>
          Effect.map(lists(question), (lists) =>
            best(lists.flatMap((list) => list.map((hit) => ({ ...hit, score: hit.score / (list[0]?.score ?? 1) })))),
          ),
      ],
      [
        "five indexes, in turn",
        (question) =>
          Effect.map(lists(question), (lists) =>
            best(lists.flatMap((list) => list.map(({ found }, rank) => ({ found, score: -rank })))),
          ),
      ],
    ]
    const scores = new Map<string, ReadonlyArray<Scores>>()
    const times = new Map<string, number>()
    for (const [what, ask] of arms) {
      const started = performance.now()
      const all = yield* Effect.forEach(questions, (question) =>
        Effect.map(ask(question), (found) => scoresOf(question, found)),
      )
      times.set(what, (performance.now() - started) / questions.length)
      scores.set(what, all)
    }
    print(
      arms.map(([what]) => what),
      scores,
      times,
    )
    if (details) {
      for (const [at, { id }] of questions.entries()) {
        console.log([id, ...arms.map(([what]) => figure(scores.get(what)?.[at]?.[0] ?? 0))].join("\t"))
      }
    }
  }).pipe(Effect.scoped, Effect.provide(layerWords))

const scoresOf = (question: Question, found: ReadonlyArray<Found>): Scores => {
  const name = nameOf(question.repo)
  const files = Array.from(new Set(found.map(({ path }) => path))).slice(0, MOST)
  const [fileRank, fileRecall] = of(question.gold_files.map((gold) => files.indexOf(`${name}/${gold}`)))
  if (question.gold_symbols.length === 0) return [fileRank, fileRecall, undefined, undefined]
  const symbols = found.slice(0, MOST)
  const [symbolRank, symbolRecall] = of(
    question.gold_symbols.map((gold) => symbols.findIndex((one) => isSame(`${name}/${gold.path}`, gold, one))),
  )
  return [fileRank, fileRecall, symbolRank, symbolRecall]
}

/** The reciprocal rank of the first, and how many there are, as a share. */
const of = (positions: ReadonlyArray<number>): readonly [number, number] => {
  const found = positions.filter((position) => position >= 0)
  return [found.length === 0 ? 0 : 1 / (1 + Math.min(...found)), found.length / positions.length]
}

const lastPart = (name: string): string => name.split(/[.#:/]+/).findLast((part) => part !== "") ?? ""

/** The same path, lines in common, and the same name or half of the lines of both together. */
const isSame = (file: string, gold: Question["gold_symbols"][number], one: Found): boolean => {
  const shared = Math.min(gold.endLine, one.endLine) - Math.max(gold.startLine, one.startLine) + 1
  const all = Math.max(gold.endLine, one.endLine) - Math.min(gold.startLine, one.startLine) + 1
  return file === one.path && shared > 0 && (lastPart(one.qualifiedName) === lastPart(gold.name) || shared / all >= 0.5)
}

const measures = ["file MRR", "file recall", "symbol MRR", "symbol recall"] as const

const print = (
  arms: ReadonlyArray<string>,
  scores: ReadonlyMap<string, ReadonlyArray<Scores>>,
  times: ReadonlyMap<string, number>,
): void => {
  console.log(`| | ${measures.join(" | ")} | ms |`)
  console.log(`|---|${measures.map(() => "---|").join("")}---:|`)
  const base = scores.get(arms[0] ?? "") ?? []
  for (const what of arms) {
    const own = scores.get(what) ?? []
    const cells = measures.map((_, measure) => {
      const values = own.flatMap((score) => score[measure] ?? [])
      const differences = own.flatMap((score, at) => {
        const [mine, other] = [score[measure], base[at]?.[measure]]
        return mine === undefined || other === undefined ? [] : [mine - other]
      })
      return `${figure(mean(values))}${what === arms[0] ? "" : ` (${signed(mean(differences))} ${interval(differences)})`}`
    })
    console.log(`| ${what} | ${cells.join(" | ")} | ${times.get(what)?.toFixed(1)} |`)
  }
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

const figure = (value: number): string => value.toFixed(3).replace(/^(-?)0/, "$1")
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${figure(Math.abs(value))}`

/** 2,000 samples by the same numbers in each run. */
const interval = (values: ReadonlyArray<number>): string => {
  let seed = 1
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const means = Array.from({ length: 2_000 }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).sort((one, other) => one - other)
  return `[${signed(means[50] ?? 0)}, ${signed(means[1_949] ?? 0)}]`
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { details: { type: "boolean", default: false } },
})
const [folder, file] = positionals
if (folder === undefined || file === undefined) {
  console.error("usage: node bench/repositories.ts FOLDER QUESTIONS [--details]")
  process.exit(2)
}
const rows: ReadonlyArray<Question> = fs
  .readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line))
await Effect.runPromise(
  run(
    folder,
    rows.filter(({ repo }) => REPOSITORIES.includes(repo)),
    values.details,
  ),
)
