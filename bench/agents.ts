/**
 * `node bench/agents.ts FOLDER [QUESTIONS] [--only TEXT] [--details]`: what an agent reads until it has seen the code that
 * answers a question, with grep and read alone, and with the tools of `vibe mcp` instead.
 *
 * FOLDER holds checkouts (`owner+name`, with an `@commit` behind it or without), QUESTIONS lines of JSON with `repo`,
 * `question` and `gold_symbols` (`path`, `startLine`, `endLine`); questions without such symbols are left out. Nothing is
 * fetched, and each checkout is copied and indexed without a model. Both arms are scripts, so the figures compare what tools
 * return, not how clever a model is. They share one policy: look for the question, open what was found in the order in
 * which it is best, and stop when five lines of a right symbol (or all of a shorter one) have been shown, or after
 * 20 calls.
 *
 * - grep: looks for one word of the question after the other, identifiers first, then the longer ones (`grep -rni`, 100
 *   lines); after every second grep it reads the two windows of 100 lines that have most different words and were
 *   not read, tests behind others.
 * - vibe: asks `query` with the question, opens its results by `show`, asks for 15 results, and opens those.
 *
 * Tokens are a quarter of the characters of arguments and results. What each arm's definitions cost is not among them.
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
  options: { only: { type: "string", default: "" }, details: { type: "boolean", default: false } },
})

const MAX_CALLS = 20

/** Lines of a right symbol that must have been shown. */
const ENOUGH = 5

const MAX_GREP_LINES = 100
const MAX_LINE = 300
const WINDOW = 100

interface Symbol {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
}

interface Question {
  readonly id: string
  readonly repo: string
  readonly question: string
  readonly gold_symbols: ReadonlyArray<Symbol>
}

interface Outcome {
  readonly found: boolean
  readonly calls: number
  readonly tokens: number
}

/** What has been shown so far, and what it cost. */
class Notes {
  calls = 0
  tokens = 0
  readonly gold: ReadonlyArray<Symbol>
  readonly shown = new Map<string, Set<number>>()

  constructor(gold: ReadonlyArray<Symbol>) {
    this.gold = gold
  }

  add(call: string, result: string, lines: ReadonlyArray<readonly [file: string, line: number]>): void {
    this.calls++
    this.tokens += (call.length + result.length) / 4
    for (const [file, line] of lines) this.shown.set(file, (this.shown.get(file) ?? new Set()).add(line))
  }

  get isFound(): boolean {
    return this.gold.some(({ endLine, path, startLine }) => {
      const seen = [...(this.shown.get(path) ?? [])].filter((line) => startLine <= line && line <= endLine)
      return seen.length >= Math.min(ENOUGH, endLine - startLine + 1)
    })
  }

  get isOver(): boolean {
    return this.isFound || this.calls >= MAX_CALLS
  }

  get outcome(): Outcome {
    return { found: this.isFound, calls: this.calls, tokens: this.tokens }
  }
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

interface Hit {
  readonly file: string
  readonly line: number
  readonly word: string
}

/** Files by path, as lines. */
type Texts = ReadonlyMap<string, ReadonlyArray<string>>

const grep = (texts: Texts, word: string): ReadonlyArray<Hit & { readonly text: string }> => {
  const wanted = word.toLowerCase()
  const hits: Array<Hit & { readonly text: string }> = []
  for (const [file, lines] of texts) {
    for (const [at, text] of lines.entries()) {
      if (!text.toLowerCase().includes(wanted)) continue
      hits.push({ file, line: at + 1, word, text: text.slice(0, MAX_LINE) })
      if (hits.length === MAX_GREP_LINES) return hits
    }
  }
  return hits
}

const isTest = (file: string): boolean => /(^|\/)(tests?|testing|docs?|examples?)\//.test(file)

/** The windows with most different words, those of code first. */
const windowsOf = (hits: ReadonlyArray<Hit>, notes: Notes): ReadonlyArray<readonly [file: string, first: number]> =>
  Array.from(
    Map.groupBy(hits, ({ file, line }) => `${file}:${Math.floor((line - 1) / WINDOW)}`),
    ([key, hits]) => {
      const at = key.lastIndexOf(":")
      const [file, first] = [key.slice(0, at), Number(key.slice(at + 1)) * WINDOW + 1] as const
      return { file, first, words: new Set(hits.map(({ word }) => word)).size, hits: hits.length }
    },
  )
    .filter(({ file, first }) => (notes.shown.get(file)?.has(-first) ?? false) === false)
    .toSorted(
      (one, other) =>
        Number(isTest(one.file)) - Number(isTest(other.file)) || other.words - one.words || other.hits - one.hits,
    )
    .map(({ file, first }) => [file, first])

const withGrep = ({ gold_symbols, question }: Question, texts: Texts): Outcome => {
  const notes = new Notes(gold_symbols)
  const hits: Array<Hit> = []
  const read = (file: string, first: number): void => {
    const lines = (texts.get(file) ?? []).slice(first - 1, first - 1 + WINDOW)
    const result = lines.map((text, at) => `${String(first + at).padStart(6)}\t${text}`).join("\n")
    // A window that was read is marked by the negative of its first line.
    notes.add(`${file} ${first}`, result, [...lines.map((_, at) => [file, first + at] as const), [file, -first]])
  }
  const readBest = (count: number): void => {
    for (const [file, first] of windowsOf(hits, notes).slice(0, count)) if (!notes.isOver) read(file, first)
  }
  for (const [at, word] of wordsOf(question).entries()) {
    if (notes.isOver) break
    const found = grep(texts, word)
    hits.push(...found)
    notes.add(
      word,
      found.map(({ file, line, text }) => `${file}:${line}:${text}`).join("\n"),
      found.map(({ file, line }) => [file, line]),
    )
    if (at % 2 === 1) readBest(2)
  }
  while (!notes.isOver && windowsOf(hits, notes).length > 0) readBest(1)
  return notes.outcome
}

/** The lines of code in an answer of `query` or `show`, and the places that it names. */
const parse = (text: string) => {
  const places: Array<string> = []
  const lines: Array<readonly [string, number]> = []
  let file = ""
  for (const line of text.split("\n")) {
    const [, named, first] = /^(\S+):(\d+)-\d+(?: {2}|$)/.exec(line) ?? []
    if (named !== undefined) {
      file = named
      places.push(`${named}:${first}`)
    }
    const [, number] = /^ *(\d+) │/.exec(line) ?? []
    if (number !== undefined) lines.push([file, Number(number)])
  }
  return { places, lines }
}

const withVibe = Effect.fnUntraced(function* ({ gold_symbols, question }: Question, tools: ToolRegistry.Service) {
  const notes = new Notes(gold_symbols)
  const opened = new Set<string>()
  const call = Effect.fnUntraced(function* (name: string, parameters: Record<string, unknown>) {
    const { text } = yield* tools.execute(Block.toolUse("c", name, parameters), {
      node: NodeId.make("n"),
      callId: "c",
      model: new ModelId({ provider: "scripted", name: "agent" }),
    })
    const { lines, places } = parse(text)
    notes.add(JSON.stringify(parameters), text, lines)
    return places
  })
  const open = Effect.fnUntraced(function* (places: ReadonlyArray<string>) {
    for (const place of places) {
      if (notes.isOver) return
      if (opened.has(place)) continue
      opened.add(place)
      yield* call("show", { target: place })
    }
  })
  yield* open(yield* call("query", { query: question }))
  if (!notes.isOver) yield* open(yield* call("query", { query: question, limit: 15, maxTokens: 3_000 }))
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

const row = (name: string, outcomes: ReadonlyArray<Outcome>): string => {
  const found = outcomes.filter(({ found }) => found)
  const calls = outcomes.map(({ calls }) => calls)
  const tokens = outcomes.map(({ tokens }) => tokens)
  const cells = [
    name,
    `${found.length} of ${outcomes.length}`,
    `${mean(calls).toFixed(1)} (${median(calls)})`,
    `${mean(tokens).toFixed(0)} (${median(tokens).toFixed(0)})`,
  ]
  return `| ${cells.join(" | ")} |`
}

const main = Effect.gen(function* () {
  const [folder = "", file = path.join(import.meta.dirname, "retrieval", "questions.jsonl")] = positionals
  const questions = fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): Question => JSON.parse(line))
    .filter(({ gold_symbols, repo }) => gold_symbols.length > 0 && repo.includes(values.only))
  const all: Array<readonly [grep: Outcome, vibe: Outcome]> = []
  console.log("| | found | calls, mean (median) | tokens, mean (median) |\n| --- | ---: | ---: | ---: |")
  for (const [repo, asked] of Map.groupBy(questions, ({ repo }) => repo)) {
    const checkout = checkoutOf(folder, repo)
    if (checkout === undefined) continue
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-agents-"))
    const outcomes = yield* Effect.gen(function* () {
      const { registry, texts } = yield* open(path.join(folder, checkout), copy)
      return yield* Effect.forEach(asked, (question) =>
        Effect.map(withVibe(question, registry), (vibe) => {
          const outcome = [withGrep(question, texts), vibe] as const
          if (values.details) console.error(question.id, ...outcome)
          return outcome
        }),
      )
    }).pipe(Effect.scoped, Effect.ensuring(Effect.sync(() => fs.rmSync(copy, { recursive: true, force: true }))))
    all.push(...outcomes)
    console.log(
      row(
        `${repo}, grep and read`,
        outcomes.map(([grep]) => grep),
      ),
    )
    console.log(
      row(
        `${repo}, query and show`,
        outcomes.map(([, vibe]) => vibe),
      ),
    )
  }
  console.log(
    row(
      "all, grep and read",
      all.map(([grep]) => grep),
    ),
  )
  console.log(
    row(
      "all, query and show",
      all.map(([, vibe]) => vibe),
    ),
  )
  const worse = all.filter(([grep, vibe]) => grep.found && (!vibe.found || vibe.tokens > grep.tokens))
  console.log(`\nvibe found nothing, or took more tokens, where grep found it: ${worse.length} of ${all.length}`)
})

await Effect.runPromise(main.pipe(Effect.provide(CodeLayer.layer)))
