/**
 * `node bench/retrieval.ts FOLDER [--fetch] [--peers FOLDER] [--purposes FOLDER] [--only TEXT] [--bin FILE]
 * [--details FILE]`: asks the 252 questions of `retrieval/questions.jsonl` about nine public repositories,
 * and prints how often each tool has a right file first, among five and among ten, with ranks of files and
 * symbols and the size of an answer.
 *
 * FOLDER holds checkouts named `owner+name`; `--fetch` makes those that are absent, at the commits of the
 * questions, from GitHub (some 500 MB). Each tool works in a copy without a key of a model, so vibe's index has no
 * purposes of models. `--purposes` is a folder with files of purposes named `owner+name.jsonl`: a repository that
 * has one gets a second row of vibe, with them. `--peers` is a folder with the other programs (`peers.ts` says how
 * it is made): without it vibe and BM25 are compared. `--bin` is the program (this checkout's source, if absent),
 * `--only` takes repositories whose name contains a text, `--details` writes a line of JSON for each tool and
 * question. Exits with 1 where a checkout is absent.
 *
 * A right file is one that the answer of the benchmark names, or that the commit changed. Other right places
 * count as wrong, for all tools alike: compare tools, do not read the figures as absolute quality.
 * `retrieval/README.md` says more.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import * as Bm25 from "./retrieval/Bm25.ts"
import { peersIn, print, type Tool } from "./retrieval/peers.ts"

interface Question {
  readonly id: string
  readonly repo: string
  readonly commit: string
  readonly question: string
  readonly gold_files: ReadonlyArray<string>
  readonly gold_symbols: ReadonlyArray<{ path: string; name: string; startLine: number; endLine: number }>
}

interface Scored {
  readonly tool: string
  readonly id: string
  readonly repo: string
  /** Of the first right file, from 1; infinite where none is among the first ten. */
  readonly file: number
  /** Undefined for a question whose right symbol is not known. */
  readonly symbol: number | undefined
  /** The share of right files among the first ten. */
  readonly recall: number
  /** The same of right symbols; undefined for a question whose right symbol is not known. */
  readonly symbolRecall: number | undefined
  readonly bytes: number
}

/** Results behind them count as none. */
const LIMIT = 10

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    bin: { type: "string", default: path.resolve(import.meta.dirname, "../src/bin.ts") },
    details: { type: "string" },
    fetch: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    peers: { type: "string" },
    purposes: { type: "string" },
  },
})

const vibe: Tool = {
  name: "vibe query",
  prepare: (root) => void print(process.execPath, [values.bin, "index", root, "--model", "offline"], root),
  ask: (root, question) => {
    const ask = [values.bin, "query", "--root", root]
    const json = print(process.execPath, [...ask, "--limit", String(LIMIT), "--json", "--", question], root)
    const { results }: { readonly results: ReadonlyArray<Bm25.Place> } = JSON.parse(json)
    return { places: results, bytes: Buffer.byteLength(print(process.execPath, [...ask, "--", question], root)) }
  },
}

/** The same with purposes that models wrote, of which each checkout gets its own before it is indexed. */
const withPurposes = (file: string): Tool => ({
  ...vibe,
  name: "vibe query, with purposes",
  prepare: (root) => {
    fs.mkdirSync(path.join(root, ".vibe"))
    fs.copyFileSync(file, path.join(root, ".vibe", "purposes.jsonl"))
    vibe.prepare(root)
  },
})

const purposesOf = (repo: string): ReadonlyArray<Tool> => {
  const file = path.join(values.purposes ?? "", `${repo.replace("/", "+")}.jsonl`)
  return values.purposes !== undefined && fs.existsSync(file) ? [withPurposes(file)] : []
}

let answerFromMemory: ReturnType<typeof Bm25.open> | undefined
const bm25: Tool = {
  name: "BM25",
  prepare: (root) => {
    answerFromMemory = Bm25.open(root)
  },
  ask: () => ({ places: [], bytes: 0 }),
}

const lastPart = (name: string): string | undefined =>
  name
    .split(/[.#:/]+/)
    .findLast((part) => part !== "")
    ?.replace(/\(.*$/, "")

/** The same path, lines that overlap, and the same name or half of the lines of both. */
const isSame = (gold: Question["gold_symbols"][number], { endLine, path, startLine, symbol }: Bm25.Place): boolean => {
  const shared = Math.min(gold.endLine, endLine) - Math.max(gold.startLine, startLine) + 1
  if (gold.path !== path || !(shared > 0)) return false
  const union = Math.max(gold.endLine, endLine) - Math.min(gold.startLine, startLine) + 1
  return lastPart(symbol) === lastPart(gold.name) || shared / union >= 0.5
}

const rank = <A>(list: ReadonlyArray<A>, isRight: (item: A) => boolean): number => {
  const at = list.slice(0, LIMIT).findIndex(isRight)
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1
}

const score = (tool: Tool, { gold_files, gold_symbols, id, question, repo }: Question, root: string): Scored => {
  const { bytes, places } = tool.ask(root, question, LIMIT)
  const answer =
    tool === bm25 && answerFromMemory !== undefined
      ? answerFromMemory(question, LIMIT)
      : { files: [...new Set(places.map((place) => place.path))], symbols: places }
  const files = answer.files.slice(0, LIMIT)
  return {
    tool: tool.name,
    id,
    repo,
    file: rank(files, (file) => gold_files.includes(file)),
    symbol:
      gold_symbols.length === 0
        ? undefined
        : rank(answer.symbols, (place) => gold_symbols.some((gold) => isSame(gold, place))),
    recall: gold_files.filter((file) => files.includes(file)).length / gold_files.length,
    symbolRecall:
      gold_symbols.length === 0
        ? undefined
        : gold_symbols.filter((gold) => answer.symbols.slice(0, LIMIT).some((place) => isSame(gold, place))).length /
          gold_symbols.length,
    bytes,
  }
}

const git = (args: ReadonlyArray<string>): void => {
  const { status } = spawnSync("git", ["-c", "core.hooksPath=/dev/null", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  })
  if (status !== 0) throw new Error(`git ${args.join(" ")}: exit ${status}`)
}

/** The files of one commit. */
const fetchCheckout = (checkout: string, { commit, repo }: Question): void => {
  process.stderr.write(`fetching ${repo} at ${commit}\n`)
  git(["init", "--quiet", checkout])
  git(["-C", checkout, "fetch", "--quiet", "--depth", "1", `https://github.com/${repo}`, commit])
  git(["-C", checkout, "checkout", "--quiet", "FETCH_HEAD"])
}

const mean = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
const decimal = (value: number): string => value.toFixed(3).replace(/^0/, "")

const row = (name: string, scored: ReadonlyArray<Scored>): string => {
  const ranks = scored.map(({ file }) => file)
  const within = (most: number) => String(ranks.filter((each) => each <= most).length)
  const symbols = scored.flatMap(({ symbol }) => symbol ?? [])
  const bytes = mean(scored.map(({ bytes }) => bytes))
  return `| ${[
    name,
    scored.length,
    within(1),
    within(5),
    within(LIMIT),
    decimal(mean(ranks.map((each) => 1 / each))),
    decimal(mean(scored.map(({ recall }) => recall))),
    symbols.length === 0 ? "" : decimal(mean(symbols.map((each) => 1 / each))),
    symbols.length === 0 ? "" : decimal(mean(scored.flatMap(({ symbolRecall }) => symbolRecall ?? []))),
    bytes === 0 ? "" : `${(bytes / 1000).toFixed(1)} kB`,
  ].join(" | ")} |`
}

const table = (title: string, groups: ReadonlyArray<readonly [string, ReadonlyArray<Scored>]>): string =>
  `
| ${title} | questions | right file first | in five | in ten | file MRR | file recall | symbol MRR | symbol recall | one answer |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${groups.map(([name, scored]) => row(name, scored)).join("\n")}
`

const [folder] = positionals
if (folder === undefined) throw new Error("name the folder that holds the checkouts")
const questions: ReadonlyArray<Question> = fs
  .readFileSync(path.join(import.meta.dirname, "retrieval", "questions.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line))
  .filter(({ repo }: Question) => repo.includes(values.only))
const others = [bm25, ...peersIn(values.peers)]

const all: Array<Scored> = []
for (const [repo, [first, ...rest] = []] of Object.entries(Object.groupBy(questions, ({ repo }) => repo))) {
  if (first === undefined) continue
  const checkout = path.join(folder, repo.replace("/", "+"))
  if (!fs.existsSync(checkout) && values.fetch) fetchCheckout(checkout, first)
  if (!fs.existsSync(checkout)) {
    process.stderr.write(`absent: ${checkout} (${repo} at ${first.commit}; --fetch makes it)\n`)
    process.exitCode = 1
    continue
  }
  const tools = [vibe, ...purposesOf(repo), ...others]
  const scored = tools.flatMap((tool) => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-retrieval-")))
    try {
      // Tools would read a history, or what another has written, and a checkout may be a link.
      fs.cpSync(fs.realpathSync(checkout), root, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => !/[\\/]\.(git|vibe|codegraph)$/.test(file),
      })
      tool.prepare(root)
      return [first, ...rest].map((question) => score(tool, question, root))
    } finally {
      fs.rmSync(root, { recursive: true })
    }
  })
  all.push(...scored)
  process.stdout.write(
    table(
      repo,
      tools.map(({ name }) => [name, scored.filter(({ tool }) => tool === name)]),
    ),
  )
}
if (all.length > 0)
  process.stdout.write(
    table(
      "all",
      Array.from(new Set(all.map(({ tool }) => tool)), (name) => [name, all.filter(({ tool }) => tool === name)]),
    ),
  )
if (values.details !== undefined)
  fs.writeFileSync(values.details, all.map((each) => `${JSON.stringify(each)}\n`).join(""))
