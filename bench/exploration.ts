/**
 * `node bench/exploration.ts FOLDER [--purposes FOLDER] [--only TEXT] [--replay FOLDER]`: what a whole exploration
 * costs, by a scripted model that answers each batch in one call, beside what `vibe index --estimate` says before it.
 *
 * FOLDER holds checkouts, each named `owner+name`, with an `@commit` behind it or without; this script fetches
 * nothing. Each is copied and explored as by `vibe index --all`, with its conversation in memory. The model looks
 * around in one request, writes a map in the next, and answers each batch with the purposes of `--purposes`
 * (`owner+name.jsonl`, lines as of `.vibe/purposes.jsonl`), cut to 12 words, and a question of nine. Where there is
 * none for a symbol it makes up 12 words. So the figures hold for a model that follows the instruction at once; each
 * further request about a batch repeats its tokens.
 *
 * Tokens are counted in two ways: as the program estimates them (0.3 a character), and as a quarter of the
 * characters, which is what tokenizers make of code and English, within 5 %. Costs are of the second, at 0.30
 * and 2.50 US dollars a million.
 *
 * With `--replay` it explores nothing and writes purposes for a curve of answers over money: in FOLDER/N those that are
 * there after N % of the money, in the order of the plan, and in FOLDER/random-N as many
 * of symbols in no order.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Indexing from "../src/app/Indexing.ts"
import * as Text from "../src/base/Text.ts"
import * as CodeLayer from "../src/cli/layers/CodeLayer.ts"
import * as Workspace from "../src/code/Workspace.ts"
import { type Batch, mark } from "../src/explore/Batch.ts"
import * as Batches from "../src/explore/Batches.ts"
import * as Estimate from "../src/explore/Estimate.ts"
import * as IndexingOrchestrator from "../src/explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../src/explore/IndexObserver.ts"
import type { IndexEntry } from "../src/index/IndexEntry.ts"
import * as IndexStore from "../src/index/IndexStore.ts"
import * as Message from "../src/message/Message.ts"
import * as Tokens from "../src/message/Tokens.ts"
import type { Request } from "../src/model/Request.ts"
import * as Scripted from "../src/provider/scripted/Scripted.ts"
import * as Tokenizer from "../src/search/Tokenizer.ts"
import * as IndexTools from "../src/toolbox/IndexTools.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    purposes: { type: "string" },
    only: { type: "string", default: "" },
    replay: { type: "string" },
  },
})

/** US dollars a million tokens: of gemini-2.5-flash (models.dev, 2026-07-02). */
const PRICE = { input: 0.3, output: 2.5 }

const MAX_WORDS = 12

/** `path` and `symbol` of a line of purposes. */
interface Line {
  readonly path: string
  readonly symbol: string
  readonly purpose: string
}

const keyOf = (line: Pick<Line, "path" | "symbol">): string => `${line.path}\0${line.symbol}`

const readLines = (repository: string): ReadonlyArray<string> => {
  const file = values.purposes && path.join(values.purposes, `${repository}.jsonl`)
  if (!file || !fs.existsSync(file)) return []
  return fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
}

const readGiven = (repository: string): ReadonlyMap<string, string> =>
  new Map(
    readLines(repository).map((text) => {
      const line: Line = JSON.parse(text)
      return [keyOf(line), line.purpose]
    }),
  )

const shorten = (purpose: string): string => {
  const words = purpose.split(/\s+/)
  const statement = words.length <= MAX_WORDS ? purpose : `${words.slice(0, MAX_WORDS).join(" ")}.`
  return `${statement} Where is it that ${words.slice(-5).join(" ").replace(/\W+$/, "")}?`
}

/** Words of the symbol and of its container between words of no meaning: 12, and others for each symbol. */
const makeUp = ({ container = "", hash, path, signature }: IndexEntry): string => {
  const own = Tokenizer.splitRuns(`${container} ${signature} ${path}`).flatMap(Tokenizer.termsOfRun)
  const words = Array.from({ length: 12 }, (_, i) => {
    const chance = Number.parseInt(Text.sha256(`${hash} ${i}`).slice(0, 6), 16)
    const from = i % 3 === 2 ? FILLERS : own
    return from[chance % Math.max(1, from.length)] ?? "code"
  })
  return shorten(`${words.join(" ")}.`)
}

const FILLERS = "when that where which before after from into with while since until through without".split(" ")

/** What a request sends, and what an answer has. */
const charactersOf = ({ messages, system, tools }: Request): number =>
  Tokens.lengthOf(system) +
  tools.reduce(
    (sum, { description, name, parameters }) => sum + JSON.stringify({ name, description, parameters }).length,
    0,
  ) +
  messages.reduce((sum, message) => sum + Tokens.lengthOf(textOf(message)), 0)

const textOf = (message: Message.Message): string =>
  Message.text(message) +
  message.content.map((block) => (block.type === "tool-use" ? JSON.stringify(block.parameters) : "")).join("")

interface Sums {
  requests: number
  batches: number
  sentBack: number
  input: number
  output: number
}

/** Answers the requests of an exploration, and adds up their characters. */
const script =
  (batches: ReadonlyArray<Batch>, given: ReadonlyMap<string, string>, sums: Sums): Scripted.Script =>
  (request) => {
    const last = request.messages.findLast(({ role }) => role === "user")
    const asked = last === undefined ? "" : Message.text(last)
    const texts = request.messages.map((message) => withoutCallers(Message.text(message)))
    const batch = batches.find(({ text }) => texts.some((each) => each.endsWith(withoutCallers(text))))
    const answer = batch === undefined ? lookAround(request) : explain(batch, asked, given)
    sums.requests++
    sums.input += charactersOf(request)
    sums.output += Tokens.lengthOf(
      typeof answer === "string" ? answer : JSON.stringify(answer.toolCalls?.map((call) => call.arguments)),
    )
    if (batch !== undefined && withoutCallers(asked).endsWith(withoutCallers(batch.text))) sums.batches++
    else if (batch !== undefined) sums.sentBack++
    return answer
  }

/** A symbol with the same source as one that was explained meanwhile is open no longer. */
const withoutCallers = (text: string): string => text.replaceAll(/^(§\d+).* used by .*$/gm, "$1")

const lookAround = ({ messages }: Request): string | Scripted.Turn =>
  messages.some(({ role }) => role === "tool")
    ? MAP
    : Scripted.calls(
        ["list_filesystem", { path: "." }],
        ["read_file", { path: "pyproject.toml", endLine: 60 }],
        ["read_file", { path: "package.json", endLine: 60 }],
      )

const MAP = "A map of the project, made up for this bench, says what it is and who uses it. ".repeat(17).trim()

/** All of the batch, or what is asked for again: then in other words. */
const explain = (batch: Batch, asked: string, given: ReadonlyMap<string, string>): Scripted.Turn => {
  const numbers = Array.from(asked.matchAll(/§(\d+)/g), ([, number]) => Number(number))
  const isFirst = withoutCallers(asked).endsWith(withoutCallers(batch.text))
  const purposes = batch.symbols.flatMap((entry, i) => {
    const known = given.get(keyOf({ path: entry.path, symbol: entry.qualifiedName }))
    const purpose = known !== undefined ? shorten(known) : makeUp(entry)
    return isFirst || numbers.includes(i + 1) ? [`${mark(i + 1).slice(1)}: ${purpose}`] : []
  })
  return Scripted.calls(["create_index_entry", { entries: [{ purposes }] }])
}

const planOf = (root: string, options: Batches.Options = {}) =>
  Effect.gen(function* () {
    const workspace = yield* Workspace.open(root)
    const index = yield* (yield* IndexStore.IndexStore).open(workspace)
    yield* index.refresh
    const batches = Chunk.toReadonlyArray(yield* Stream.runCollect(Batches.plan(workspace, index, options)))
    const startedAt = performance.now()
    const estimate = yield* Estimate.make(workspace, index, IndexTools.make(workspace, index).tools, {
      rootPath: root,
      maxRequests: IndexingOrchestrator.MAX_ITERATIONS,
    })
    return { batches, estimate, milliseconds: performance.now() - startedAt }
  }).pipe(Effect.scoped, Effect.provide(CodeLayer.layer))

interface Measured extends Sums {
  readonly repository: string
  readonly estimate: Estimate.Estimate
  readonly milliseconds: number
  readonly written: number
  readonly left: number
  readonly given: number
  readonly weak: number
}

const explore = (repository: string, root: string) =>
  Effect.gen(function* () {
    const { batches, estimate, milliseconds } = yield* planOf(root)
    const given = readGiven(repository)
    const sums: Sums = { requests: 0, batches: 0, sentBack: 0, input: 0, output: 0 }
    const scripted = yield* Scripted.make(script(batches, given, sums))
    const model = { ...scripted, isLocal: false, limits: { context: 1_048_576, output: 65_536 } }
    const report = yield* IndexingOrchestrator.runGuidedExploration(root, false, { model, all: true }).pipe(
      Effect.provide(Indexing.layer.pipe(Layer.provide([Scripted.layer([]), IndexObserver.layerSilent]))),
    )
    const measured: Measured = {
      ...sums,
      repository,
      estimate,
      milliseconds,
      written: report.purposesWritten,
      left: report.leftSymbols,
      weak: report.weak,
      given: batches
        .flatMap(({ symbols }) => symbols)
        .filter((entry) => given.has(keyOf({ path: entry.path, symbol: entry.qualifiedName }))).length,
    }
    return measured
  })

const costOf = (input: number, output: number): number => (input * PRICE.input + output * PRICE.output) / 1e6

const row = (cells: ReadonlyArray<string | number>): string => `| ${cells.join(" | ")} |`

const count = (value: number): string => Math.round(value).toLocaleString("en")

const percent = (share: number): string => `${share < 0 ? "" : "+"}${(100 * share).toFixed(0)} %`

const rowOf = (measured: Measured): string => {
  const { estimate, given, input, left, milliseconds, output, repository, requests, sentBack, weak, written } = measured
  const explained = Math.max(1, written)
  const said = costOf(estimate.all.inputTokens, estimate.all.outputTokens)
  const took = costOf(0.3 * input, 0.3 * output)
  return row([
    repository,
    `${count(written)} (${count(given)} given)`,
    `${left}, ${weak}`,
    `${requests} (${sentBack})`,
    `${count(input / 4 / explained)} / ${count((0.3 * input) / explained)}`,
    `${(output / 4 / explained).toFixed(1)} / ${((0.3 * output) / explained).toFixed(1)}`,
    costOf(input / 4, output / 4).toFixed(3),
    `${estimate.all.requests}, ${percent(estimate.all.inputTokens / (0.3 * input) - 1)}, ${percent(estimate.all.outputTokens / (0.3 * output) - 1)}, ${percent(said / took - 1)}`,
    `${milliseconds.toFixed(0)} ms`,
  ])
}

const SHARES = [0, 5, 10, 20, 50, 100]

/**
 * Purposes that a share of the cost pays for, batch by batch. Symbols with their comment as their purpose
 * cost nothing and are left out.
 */
const replay = (repository: string, root: string, folder: string) =>
  Effect.gen(function* () {
    const { batches } = yield* planOf(root)
    const lines = new Map(
      readLines(repository).map((text) => {
        const line: Line = JSON.parse(text)
        return [keyOf(line), text]
      }),
    )
    const all = batches.reduce((sum, batch) => sum + priceOf(batch), 0)
    const found = (entries: ReadonlyArray<IndexEntry>) =>
      entries.flatMap((entry) => lines.get(keyOf({ path: entry.path, symbol: entry.qualifiedName })) ?? [])
    const write = (name: string, texts: ReadonlyArray<string>): void => {
      fs.mkdirSync(path.join(folder, name), { recursive: true })
      fs.writeFileSync(path.join(folder, name, `${repository}.jsonl`), texts.map((text) => `${text}\n`).join(""))
    }
    for (const share of SHARES) {
      const bought = buy(batches, (all * share) / 100)
      const texts = found(bought)
      const whole = found(batches.flatMap(({ symbols }) => symbols))
      write(String(share), texts)
      write(`random-${share}`, whole.toSorted(byDigest).slice(0, texts.length))
      process.stdout.write(
        `${repository} ${share} %: ${bought.length} symbols, ${texts.length} of ${whole.length} purposes\n`,
      )
    }
  })

/** The symbols that so much money explains: of the last batch the share that it pays for. */
const buy = (batches: ReadonlyArray<Batch>, money: number): ReadonlyArray<IndexEntry> => {
  let left = money
  return batches.flatMap((batch) => {
    const share = Math.min(1, Math.max(0, left / priceOf(batch)))
    left -= priceOf(batch)
    return batch.symbols.slice(0, Math.round(share * batch.symbols.length))
  })
}

const priceOf = ({ symbols, tokens }: Batch): number => costOf(tokens, 27 * symbols.length)

const byDigest = (one: string, other: string): number => (Text.sha256(one) < Text.sha256(other) ? -1 : 1)

const [folder] = positionals
if (folder === undefined) throw new Error("name the folder that holds the checkouts")
const rows: Array<string> = []
for (const name of fs.readdirSync(folder).sort()) {
  const repository = name.replace(/@.*$/, "")
  if (
    name.startsWith(".") ||
    fs.lstatSync(path.join(folder, name)).isSymbolicLink() ||
    !repository.includes("+") ||
    !name.includes(values.only)
  )
    continue
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-exploration-"))
  try {
    fs.cpSync(fs.realpathSync(path.join(folder, name)), root, { recursive: true, dereference: true })
    fs.rmSync(path.join(root, ".vibe"), { recursive: true, force: true })
    if (values.replay !== undefined) await Effect.runPromise(replay(repository, root, values.replay))
    else rows.push(rowOf(await Effect.runPromise(explore(repository, root))))
  } finally {
    fs.rmSync(root, { recursive: true })
  }
}
if (rows.length > 0) {
  process.stdout.write(`
| | purposes | left, weak | requests (asked again) | tokens in a purpose (÷ 4 / estimated) | tokens out a purpose | US dollars | the estimate: requests, in, out, cost | in |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}
`)
}
