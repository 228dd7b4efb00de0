/**
 * `node bench/agents.ts FOLDER [QUESTIONS...] [--annotations FOLDER] [--only TEXT] [--details]`: what
 * an agent reads until it has seen the lines that decide a question, with grep and read alone, and with
 * the tools of `vibe mcp` instead.
 *
 * FOLDER holds checkouts (`owner+name`, with an `@commit` behind it or without), QUESTIONS are files with lines of
 * JSON: `repo`, `question`, and either `deciding`, the lines of code that decide it (`path`, `startLine`, `endLine`),
 * or `gold_symbols`, the symbols that answer it. Other questions are left out. Those of `deciding.jsonl` have no words:
 * `annotation` and `number` say where these are in the annotations of the benchmark that asks them, and without that
 * folder they are left out. Nothing is fetched, and each checkout is copied and indexed without a model. Both arms are
 * scripts, so the figures compare what tools return, not how clever a model is. They read on until all deciding lines
 * have been shown, or of a right symbol 20 lines (or all of a shorter one), at most 20 calls.
 *
 * - grep: one search for all words of the question lists 40 files. The script, unlike an agent, knows which of them
 *   have most different words, weighted by how rare they are, tests behind others. In these it lists the lines with any
 *   of the words, and reads the two windows of 100 lines around most different ones, then those of the next file.
 * - vibe: asks `query` with the question, opens the first three results by `show` that were not shown whole, asks the
 *   same within each of their files and opens three of each, then asks for 15 results, and opens those.
 *
 * Characters are those of arguments and results. What each arm's definitions cost is not among them.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as CodeLayer from "../src/cli/layers/CodeLayer.ts"
import * as Repository from "../src/code/Repository.ts"
import * as Workspace from "../src/code/Workspace.ts"
import * as IndexStore from "../src/index/IndexStore.ts"
import type { Project } from "../src/lookup/Project.ts"
import * as Block from "../src/message/Block.ts"
import { ModelId } from "../src/message/ModelId.ts"
import { NodeId } from "../src/message/NodeId.ts"
import * as ToolRegistry from "../src/tool/ToolRegistry.ts"
import * as LookupTools from "../src/toolbox/LookupTools.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    annotations: { type: "string" },
    only: { type: "string", default: "" },
    details: { type: "boolean", default: false },
  },
})

const MAX_CALLS = 20

/** Lines of a right symbol that must have been shown, if the question does not say which lines decide it. */
const ENOUGH = 20

const MAX_GREP_LINES = 100
const MAX_FILES = 40
const MAX_LINE = 300
const WINDOW = 100

interface Lines {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
}

interface Question {
  readonly id: string
  readonly repo: string
  readonly question: string
  readonly gold_symbols?: ReadonlyArray<Lines>
  /** All of these lines must have been shown. */
  readonly deciding?: ReadonlyArray<Lines>
}

/** A line of a file of questions. */
interface Row extends Omit<Question, "question"> {
  readonly question?: string
  /** The file with the words of the question in the folder of annotations, and its place in that file, from 0. */
  readonly annotation?: string
  readonly number?: number
}

const withWords = (row: Row): ReadonlyArray<Question> => {
  const { annotation, number = 0, question } = row
  if (question !== undefined) return [{ ...row, question }]
  if (annotation === undefined || values.annotations === undefined) return []
  const asked: ReadonlyArray<{ readonly query: string } | undefined> = JSON.parse(
    fs.readFileSync(path.join(values.annotations, annotation), "utf8"),
  )
  const query = asked[number]?.query
  if (query === undefined) throw new Error(`${annotation} has no question ${number}`)
  return [{ ...row, question: query }]
}

interface Outcome {
  readonly found: boolean
  readonly calls: number
  readonly characters: number
}

/** What has been shown so far, and what it cost. */
class Notes {
  calls = 0
  characters = 0
  readonly #question: Question
  readonly #texts: Texts
  readonly #shown = new Map<string, Set<number>>()

  constructor(question: Question, texts: Texts) {
    this.#question = question
    this.#texts = texts
  }

  add(call: string, result: string, lines: ReadonlyArray<readonly [file: string, line: number]>): void {
    this.calls++
    this.characters += call.length + result.length
    for (const [file, line] of lines) this.#shown.set(file, (this.#shown.get(file) ?? new Set()).add(line))
  }

  /** The lines with text of a range that were shown, and all of them. */
  counts({ endLine, path, startLine }: Lines, isSymbol: boolean): { readonly shown: number; readonly all: number } {
    const all = (this.#texts.get(path) ?? []).slice(startLine - 1, endLine)
    const lines = isSymbol ? bodyOf(all) : all
    const numbers = lines.flatMap((text, at) => (text.trim() === "" ? [] : [startLine + at]))
    return { shown: numbers.filter((line) => this.isShown(path, line)).length, all: numbers.length }
  }

  isShown(file: string, line: number): boolean {
    return this.#shown.get(file)?.has(line) ?? false
  }

  /** False too where a checkout lacks the lines that decide. */
  get isFound(): boolean {
    const { deciding, gold_symbols = [] } = this.#question
    if (deciding !== undefined) {
      return deciding.map((lines) => this.counts(lines, false)).every(({ all, shown }) => all > 0 && shown === all)
    }
    return gold_symbols.some((symbol) => {
      const { all, shown } = this.counts(symbol, true)
      return all > 0 && shown >= Math.min(ENOUGH, all)
    })
  }

  get isOver(): boolean {
    return this.isFound || this.calls >= MAX_CALLS
  }

  get outcome(): Outcome {
    return { found: this.isFound, calls: this.calls, characters: this.characters }
  }
}

/**
 * Blanks the declaration of a Python symbol and the documentation within it: `query` shows both, but beside the lines.
 */
const bodyOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const head = lines.findIndex((line) => /:\s*(#.*)?$/.test(line)) + 1
  const isDoc = /^\s*[rub]?"""/i.test(lines[head] ?? "")
  const isOneLine = /""".*"""/.test(lines[head] ?? "")
  const last = isOneLine ? head : lines.findIndex((line, at) => at > head && line.includes('"""'))
  return lines.map((line, at) => (at < head || (isDoc && at <= last) ? "" : line))
}

/** Words that no one would look for. */
const common = new Set(
  "what which when where how why who does are the and for with that this from into its they them than then their there would could should between through during about regarding after before while each other using used uses use ensure ensures mechanism architecture architectural relationship purpose specific implementation design code function class method".split(
    " ",
  ),
)

const wordsOf = (question: string): ReadonlyArray<string> => {
  const words = [...new Set(question.match(/[A-Za-z_][\w.]*\w/g) ?? [])]
  const isIdentifier = (word: string) => /[_.]|[a-z][A-Z]/.test(word)
  return words
    .filter((word) => isIdentifier(word) || (word.length > 3 && !common.has(word.toLowerCase())))
    .toSorted((one, other) => Number(isIdentifier(other)) - Number(isIdentifier(one)) || other.length - one.length)
}

/** Files by path, as lines. */
type Texts = ReadonlyMap<string, ReadonlyArray<string>>

/** Files that an agent would read last. */
const isTest = (file: string): boolean =>
  /(^|\/)(tests?|specs?|testing|docs?|examples?|dist|vendor)\/|[._-](test|spec)\./.test(file)

interface Hit {
  readonly line: number
  readonly words: ReadonlyArray<string>
}

/** The lines of each file with any of the words, and how much each word counts, by how few files have it. */
const search = (texts: Texts, words: ReadonlyArray<string>) => {
  const wanted = words.map((word) => word.toLowerCase())
  const hits = new Map<string, ReadonlyArray<Hit>>()
  for (const [file, lines] of texts) {
    const found = lines.flatMap((text, at) => {
      const lowerCase = text.toLowerCase()
      const words = wanted.filter((word) => lowerCase.includes(word))
      return words.length === 0 ? [] : [{ line: at + 1, words }]
    })
    if (found.length > 0) hits.set(file, found)
  }
  const filesWith = (word: string) =>
    [...hits.values()].filter((hits) => hits.some(({ words }) => words.includes(word)))
  const weights = new Map(wanted.map((word) => [word, Math.log1p(texts.size / (1 + filesWith(word).length))]))
  return { hits, weights }
}

/** Adds up the weights of the different words of some lines; repetitions count a little. */
const worth = (hits: ReadonlyArray<Hit>, weights: ReadonlyMap<string, number>): number => {
  const sum = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)
  const all = hits.flatMap(({ words }) => words)
  return sum(new Set(all)) + 0.01 * sum(all)
}

/** The first lines of the windows around lines with words, the best first, none of which overlap. */
const windowsOf = (hits: ReadonlyArray<Hit>, weights: ReadonlyMap<string, number>): ReadonlyArray<number> => {
  const inside = (first: number) => hits.filter(({ line }) => line >= first && line < first + WINDOW)
  const firsts = hits
    .map(({ line }) => Math.max(1, line - 10))
    .map((first) => ({ first, worth: worth(inside(first), weights) }))
    .toSorted((one, other) => other.worth - one.worth)
  const chosen: Array<number> = []
  for (const { first } of firsts) if (chosen.every((other) => Math.abs(other - first) >= WINDOW)) chosen.push(first)
  return chosen
}

const withGrep = (question: Question, texts: Texts): Outcome => {
  const notes = new Notes(question, texts)
  const words = wordsOf(question.question)
  const { hits, weights } = search(texts, words)
  const files = [...hits].toSorted(
    ([one, its], [other, others]) =>
      Number(isTest(one)) - Number(isTest(other)) || worth(others, weights) - worth(its, weights),
  )
  const pattern = words.join("|")
  const listed = files.slice(0, MAX_FILES)
  notes.add(`-rciE ${pattern}`, listed.map(([file, hits]) => `${file}:${hits.length}`).join("\n"), [])
  for (const [file, all] of listed) {
    if (notes.isOver) break
    const lines = texts.get(file) ?? []
    const found = all.slice(0, MAX_GREP_LINES)
    notes.add(
      `-niE ${pattern} ${file}`,
      found.map(({ line }) => `${line}:${(lines[line - 1] ?? "").slice(0, MAX_LINE)}`).join("\n"),
      found.map(({ line }) => [file, line]),
    )
    for (const first of windowsOf(all, weights).slice(0, 2)) {
      if (notes.isOver) break
      const window = lines.slice(first - 1, first - 1 + WINDOW)
      notes.add(
        `${file} ${first}`,
        window.map((text, at) => `${String(first + at).padStart(6)}\t${text}`).join("\n"),
        window.map((_, at) => [file, first + at] as const),
      )
    }
  }
  return notes.outcome
}

/** The lines of code in an answer of `query` or `show`, and the symbols that it names. */
const parse = (text: string) => {
  const symbols: Array<Lines> = []
  const lines: Array<readonly [string, number]> = []
  let file = ""
  for (const line of text.split("\n")) {
    const [, named, first, last] = /^(\S+):(\d+)-(\d+)(?: {2}|$)/.exec(line) ?? []
    if (named !== undefined) {
      file = named
      symbols.push({ path: named, startLine: Number(first), endLine: Number(last) })
    }
    const [, number] = /^ *(\d+) │/.exec(line) ?? []
    if (number !== undefined) lines.push([file, Number(number)])
  }
  return { symbols, lines }
}

const withVibe = Effect.fnUntraced(function* (asked: Question, tools: ToolRegistry.Service, texts: Texts) {
  const { question } = asked
  const notes = new Notes(asked, texts)
  const opened = new Set<string>()
  const call = Effect.fnUntraced(function* (name: string, parameters: Record<string, unknown>) {
    const { text } = yield* tools.execute(Block.toolUse("c", name, parameters), {
      node: NodeId.make("n"),
      callId: "c",
      model: new ModelId({ provider: "scripted", name: "agent" }),
    })
    const { lines, symbols } = parse(text)
    notes.add(JSON.stringify(parameters), text, lines)
    return symbols
  })
  /**
   * The lines of a symbol that were not shown, from the first one to its end; none if all after the first shown are.
   */
  const unread = ({ endLine, path, startLine }: Lines): Lines | undefined => {
    const numbers = Array.from({ length: endLine - startLine + 1 }, (_, n) => startLine + n)
    const first = numbers.find((line) => notes.isShown(path, line))
    const left = numbers.filter(
      (line) => line > (first ?? 0) && !notes.isShown(path, line) && (texts.get(path)?.[line - 1] ?? "").trim() !== "",
    )
    const [from] = left
    return from === undefined ? undefined : { path, startLine: from, endLine }
  }
  const open = Effect.fnUntraced(function* (symbols: ReadonlyArray<Lines>, most: number) {
    let count = 0
    for (const symbol of symbols) {
      const place = `${symbol.path}:${symbol.startLine}`
      if (notes.isOver || count === most) return
      if (opened.has(place) || unread(symbol) === undefined) continue
      opened.add(place)
      count++
      yield* call("show", { target: place })
      const left = unread(symbol)
      // The first symbol is read on if it is long.
      if (left === undefined || notes.isOver || opened.size > 1) continue
      const endLine = Math.min(left.endLine, left.startLine + WINDOW - 1)
      yield* call("show", { target: `${left.path}:${left.startLine}-${endLine}` })
    }
  })
  const first = yield* call("query", { query: question })
  yield* open(first, 3)
  for (const file of new Set(first.map(({ path }) => path))) {
    if (notes.isOver) break
    yield* open(yield* call("query", { query: question, path: file }), 3)
  }
  if (!notes.isOver) yield* open(yield* call("query", { query: question, limit: 15, maxTokens: 3_000 }), MAX_CALLS)
  return notes.outcome
})

const checkoutOf = (folder: string, repo: string): string | undefined => {
  const name = repo.replace("/", "+")
  return fs.readdirSync(folder).find((entry) => entry === name || entry.startsWith(`${name}@`))
}

/** Opens a copy of a checkout, indexed without a model. */
const open = Effect.fnUntraced(function* (checkout: string, copy: string) {
  fs.cpSync(fs.realpathSync(checkout), copy, {
    recursive: true,
    filter: (file) => !/\/(\.git|\.vibe)(\/|$)/.test(file.slice(checkout.length)),
  })
  const workspace = yield* Workspace.open(copy)
  const store = yield* IndexStore.IndexStore
  const index = yield* store.open(workspace)
  yield* index.refresh
  const { files } = yield* Repository.walk(workspace)
  const texts = new Map<string, ReadonlyArray<string>>()
  for (const { path } of files) {
    const content = yield* Effect.option(workspace.read(path))
    if (content._tag === "Some") texts.set(path, content.value.text.split("\n"))
  }
  const project: Project = { workspace, index, displayPath: (path) => path }
  const registry = ToolRegistry.make(LookupTools.make(Effect.succeed({ project, notice: undefined })))
  return { registry, texts }
})

const median = (numbers: ReadonlyArray<number>): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
const mean = (numbers: ReadonlyArray<number>): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length

interface Pair {
  readonly grep: Outcome
  readonly vibe: Outcome
}

/** One line of the table: finds of both, and calls and characters of the questions that both have found. */
const row = (name: string, pairs: ReadonlyArray<Pair>): string => {
  const both = pairs.filter(({ grep, vibe }) => grep.found && vibe.found)
  const column = (of: (outcome: Outcome) => number, digits: number) => {
    if (both.length === 0) return ["–", "–", "–"]
    const [grep, vibe] = [both.map(({ grep }) => of(grep)), both.map(({ vibe }) => of(vibe))]
    return [
      `${mean(grep).toFixed(digits)} (${median(grep)})`,
      `${mean(vibe).toFixed(digits)} (${median(vibe)})`,
      (mean(vibe) / mean(grep)).toFixed(2),
    ]
  }
  const cells = [
    name,
    pairs.length,
    pairs.filter(({ grep }) => grep.found).length,
    pairs.filter(({ vibe }) => vibe.found).length,
    both.length,
    ...column(({ calls }) => calls, 1),
    ...column(({ characters }) => characters, 0),
  ]
  return `| ${cells.join(" | ")} |`
}

const main = Effect.gen(function* () {
  const [folder = "", ...files] = positionals
  const retrieval = path.join(import.meta.dirname, "retrieval")
  const sources =
    files.length > 0 ? files : ["deciding.jsonl", "questions.jsonl"].map((file) => path.join(retrieval, file))
  const questions = sources
    .flatMap((file) => fs.readFileSync(file, "utf8").split("\n"))
    .filter((line) => line.trim() !== "")
    .flatMap((line) => withWords(JSON.parse(line)))
    .filter(
      ({ deciding, gold_symbols = [], repo }) => (deciding ?? gold_symbols).length > 0 && repo.includes(values.only),
    )
  const all: Array<Pair> = []
  console.log(
    "| | questions | grep finds | vibe finds | both | calls, grep | vibe | share | characters, grep | vibe | share |",
  )
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
  for (const [repo, asked] of Map.groupBy(questions, ({ repo }) => repo)) {
    const checkout = checkoutOf(folder, repo)
    if (checkout === undefined) continue
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-agents-"))
    const pairs = yield* Effect.gen(function* () {
      const { registry, texts } = yield* open(path.join(folder, checkout), copy)
      return yield* Effect.forEach(asked, (question) =>
        Effect.map(withVibe(question, registry, texts), (vibe) => {
          const pair: Pair = { grep: withGrep(question, texts), vibe }
          if (values.details) console.error(JSON.stringify({ id: question.id, ...pair }))
          return pair
        }),
      )
    }).pipe(Effect.scoped, Effect.ensuring(Effect.sync(() => fs.rmSync(copy, { recursive: true, force: true }))))
    all.push(...pairs)
    console.log(row(repo, pairs))
  }
  console.log(row("all", all))
  const isWorse = ({ grep, vibe }: Pair) =>
    grep.found && (!vibe.found || vibe.characters > grep.characters || vibe.calls > grep.calls)
  console.log(
    `\nvibe did not find what grep found, or took more calls or characters: ${all.filter(isWorse).length} of ${all.length}`,
  )
})

await Effect.runPromise(main.pipe(Effect.provide(CodeLayer.layer)))
