/**
 * `node bench/staleness.ts FOLDER [--only TEXT] [--details] [--open FOLDER]`: how much of what a wiki says becomes
 * untrue on the commits of a real history, how much of that vibe names, and what asking a model about it costs.
 *
 * FOLDER holds clones with their history, named `owner+name`. A repository that is not there is left out, and nothing
 * is fetched. Each is cloned again into a temporary folder. There its wiki, which a capable model has written from the
 * base commit, is kept in `.vibe/wiki`, and then each commit of the history is checked out in turn, as `vibe index` and
 * `vibe check --base` would see it: the statements that it touches are judged, corrected and dropped, and the next
 * commit finds what is left. A folder of `staleness` has these files:
 *
 * - `history.json`: the repository, the base commit, and the commits
 * - `statements.jsonl`: the wiki, with the symbols that each statement cites
 * - `answers.jsonl`: what a capable model has answered to vibe's own requests, a line for each commit. A corrected
 *   statement has the next version behind its number: `7`, then `7.2`
 * - `truth.jsonl`: which statements became untrue with which commit, judged by reading
 *   each commit beside each statement
 *
 * A statement without a recorded answer counts as undecided. `--open` writes the requests with such a statement into a
 * folder, and goes on as if it held.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ReviewLayer from "../src/cli/layers/ReviewLayer.ts"
import * as NodeFiles from "../src/code/Files/Node.ts"
import * as Workspace from "../src/code/Workspace.ts"
import type { IndexError } from "../src/index/IndexError.ts"
import * as IndexStore from "../src/index/IndexStore.ts"
import * as Message from "../src/message/Message.ts"
import * as RunBudget from "../src/model/RunBudget.ts"
import * as Scripted from "../src/provider/scripted/Scripted.ts"
import * as Review from "../src/review/Review.ts"
import * as Revisions from "../src/review/Revisions.ts"
import * as Concerns from "../src/wiki/Concerns.ts"
import * as Markdown from "../src/wiki/Markdown.ts"
import type { Citation, Page, Statement, StatementKind } from "../src/wiki/Page.ts"
import { readWiki } from "../src/wiki/reading/readWiki.ts"
import * as States from "../src/wiki/States.ts"
import * as WikiFolder from "../src/wiki/WikiStore/Folder.ts"
import * as WikiStore from "../src/wiki/WikiStore.ts"
import * as Asking from "../src/wiki/writing/Asking.ts"
import * as MaterialLimits from "../src/wiki/writing/MaterialLimits.ts"
import { readProject } from "../src/wiki/writing/readProject.ts"
import * as TouchedStatements from "../src/wiki/writing/TouchedStatements.ts"
import * as WriterEstimate from "../src/wiki/writing/WriterEstimate.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    details: { type: "boolean", default: false },
    open: { type: "string" },
  },
})

/** US dollars a million tokens, as in the other benches. */
const PRICE = { input: 0.3, output: 2.5 }

interface History {
  readonly repo: string
  readonly base: string
  /** Each with the beginning of its title. */
  readonly commits: ReadonlyArray<string>
}

interface Row {
  readonly id: string
  readonly page: string
  readonly text: string
  readonly kind?: StatementKind
  /** Each is a path, and behind a space the qualified name of a symbol. */
  readonly cites: ReadonlyArray<string>
}

/** The answers to the requests at a commit. */
interface Answers {
  readonly commit: string
  readonly holds: ReadonlyArray<string>
  /** Corrected texts; null if nothing of the statement is true. */
  readonly untrue: Readonly<Record<string, string | null>>
  /** The statements that the lines shown do not decide. */
  readonly unseen: ReadonlyArray<string>
}

type Verdict = "holds" | "untrue" | "unseen" | "unrecorded"

const verdictOf = (answers: Answers | undefined, id: string): Verdict => {
  if (answers?.holds.includes(id)) return "holds"
  if (answers?.unseen.includes(id)) return "unseen"
  return answers !== undefined && id in answers.untrue ? "untrue" : "unrecorded"
}

interface Untrue {
  readonly commit: string
  readonly id: string
  readonly why: string
}

const data = path.join(import.meta.dirname, "staleness")

const readLines = <A>(file: string): ReadonlyArray<A> =>
  fs.existsSync(file)
    ? fs
        .readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line))
    : []

const git = (folder: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()

/** A text without its marks, since a page escapes some of them. */
const keyOf = (text: string): string => text.replaceAll(/\W+/g, " ").trim()

const wordsIn = (text: string): number => text.split(/\s+/).length

/** The name of the next version of a statement. */
const nextOf = (id: string): string => {
  const [number = id, version = "1"] = id.split(".")
  return `${number}.${Number(version) + 1}`
}

const citationOf = (cite: string): Citation => {
  const [path = "", symbol] = cite.split(" ")
  return symbol === undefined ? { path } : { path, symbol }
}

const pagesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Page> =>
  Array.from(
    Map.groupBy(rows, ({ page }) => page),
    ([name, rows]): Page => ({
      name,
      kind: "part",
      title: name,
      sections: [
        {
          form: "text",
          blocks: rows.map(({ cites, kind = "claim", text }) => [
            { text, kind, author: "model", citations: cites.map(citationOf) },
          ]),
        },
      ],
    }),
  )

/** The statements that a request asks about, and their numbers in it. */
const askedIn = (message: string): ReadonlyArray<readonly [number: number, text: string]> => {
  const [, list = ""] = /\nStatements:\n([\s\S]*?)\n\nSources:\n/.exec(message) ?? []
  return list.split("\n").flatMap((line) => {
    const [, number, text] = /^(\d+)\. (.*) \([^()]*\)$/.exec(line) ?? []
    return number === undefined || text === undefined ? [] : [[Number(number), text] as const]
  })
}

/** The result of a commit. */
interface Step {
  readonly commit: string
  /** Statements of the wiki before it. */
  readonly statements: number
  /** The ids of statements with a symbol that has changed or is gone. */
  readonly touched: ReadonlyArray<string>
  readonly gone: ReadonlyArray<string>
  readonly words: number
  /** The ids that `vibe check --base` names. */
  readonly named: ReadonlyArray<string>
  readonly verdicts: ReadonlyMap<string, Verdict>
  readonly requests: number
  readonly input: number
  readonly output: number
}

interface Result {
  readonly repo: string
  readonly rows: ReadonlyArray<Row>
  readonly steps: ReadonlyArray<Step>
  readonly truth: ReadonlyArray<Untrue>
  /** The tokens of writing the wiki, as vibe estimates them. */
  readonly first: WriterEstimate.Work
}

const step = Effect.fnUntraced(function* (name: string, clone: string, history: History) {
  const rows = readLines<Row>(path.join(data, name, "statements.jsonl"))
  const answers = new Map(readLines<Answers>(path.join(data, name, "answers.jsonl")).map((each) => [each.commit, each]))
  const truth = readLines<Untrue>(path.join(data, name, "truth.jsonl"))
  git(clone, "checkout", "--quiet", history.base)
  const workspace = yield* Workspace.open(clone)
  const index = yield* (yield* IndexStore.IndexStore).open(workspace)
  yield* index.refresh
  const store = yield* WikiStore.WikiStore
  const wiki = yield* store.open(workspace.root)
  const written = pagesOf(rows)
  const present = yield* States.read(index, written, (path) => Workspace.readText(workspace, path))
  for (const statement of written.flatMap(States.statementsOf)) {
    if (States.stateOf(statement, present) === "gone") throw new Error(`${name}: it cites nothing: ${statement.text}`)
  }
  yield* wiki.keep({ pages: written.map((page) => Markdown.fromPage(States.follow(page, present))) })
  const first = yield* WriterEstimate.make(yield* readProject(index, workspace), MaterialLimits.defaults, {
    plan: undefined,
    pages: [],
  })

  const ids = new Map(rows.map(({ id, text }) => [keyOf(text), id]))
  const idOf = (text: string): string => ids.get(keyOf(text)) ?? `unknown: ${text}`
  const steps: Array<Step> = []
  let before = history.base
  for (const commit of history.commits.map((line) => line.slice(0, line.indexOf(" ")))) {
    git(clone, "checkout", "--quiet", commit)
    yield* index.refresh
    const { pages: documents, states } = yield* readWiki(store, { index, workspace })
    const pages = documents.map(({ page }) => page)
    const repository = yield* Revisions.open(clone)
    const review = yield* Review.make(workspace, yield* Revisions.ofWorkingTree(clone, repository, before))
    const findings = Concerns.find(review, pages, states)
    const project = yield* readProject(index, workspace)
    const touched = yield* TouchedStatements.findDue(project, pages)
    const verdicts = new Map<string, Verdict>()
    const sums = { requests: 0, input: 0, output: 0 }
    const model = yield* Scripted.make((request) => {
      const message = request.messages.map(Message.text).join("\n")
      const args = { holds: [] as number[], partly: [] as object[], not: [] as number[] }
      const unseen: number[] = []
      for (const [number, text] of askedIn(message)) {
        const id = idOf(text)
        const recorded = answers.get(commit)
        const verdict = verdictOf(recorded, id)
        const corrected = recorded?.untrue[id]
        verdicts.set(id, verdict)
        if (verdict === "holds" || (verdict === "unrecorded" && values.open !== undefined)) args.holds.push(number)
        else if (verdict !== "untrue") unseen.push(number)
        else if (typeof corrected !== "string") args.not.push(number)
        else {
          args.partly.push({ i: number, t: corrected })
          ids.set(keyOf(corrected), nextOf(id))
        }
        if (verdict === "unrecorded" && values.open !== undefined) {
          fs.mkdirSync(values.open, { recursive: true })
          const shown = askedIn(message).map(([number, text]) => `${number} = ${idOf(text)}`)
          fs.writeFileSync(
            path.join(values.open, `${name}-${String(steps.length + 1).padStart(2, "0")}-${sums.requests + 1}.txt`),
            `${commit}\n${shown.join(", ")}\n\n${message}\n`,
          )
        }
      }
      const answer = { ...args, unseen }
      sums.requests += 1
      sums.input += RunBudget.estimate(request)
      sums.output += Math.ceil(JSON.stringify(answer).length / 4)
      return Scripted.calls(["check_statements", answer])
    })
    const judged = new Map(pages.map((page) => [page.name, page]))
    const asking = yield* Asking.make({ model, thinking: undefined, onEvent: () => Effect.void })
    yield* TouchedStatements.judge<IndexError | WikiStore.StoreError>(
      asking,
      project,
      touched,
      judged,
      MaterialLimits.defaults,
      Effect.fnUntraced(function* (page) {
        judged.set(page.name, page)
        yield* wiki.keep({ pages: [Markdown.fromPage(page)] })
      }),
    )
    const kept = yield* readWiki(store, { index, workspace })
    yield* wiki.keep({
      pages: kept.pages.map((document) => ({ ...document, page: States.follow(document.page, kept.states) })),
    })
    const idsOf = (statements: ReadonlyArray<Statement>) => statements.map(({ text }) => idOf(text))
    const stateOf = ({ statement }: TouchedStatements.Touched) => States.stateOf(statement, states)
    steps.push({
      commit,
      statements: pages.flatMap(States.statementsOf).length,
      touched: idsOf(touched.map(({ statement }) => statement)),
      gone: idsOf(touched.filter((each) => stateOf(each) === "gone").map(({ statement }) => statement)),
      words: touched.reduce((sum, { statement }) => sum + wordsIn(statement.text), 0),
      named: Array.from(new Set(findings.flatMap(({ statement }) => (statement ? [idOf(statement.text)] : [])))),
      verdicts,
      ...sums,
    })
    before = commit
  }
  const result: Result = { repo: history.repo, rows, steps, truth, first }
  return result
})

const cost = (input: number, output: number): number => (input * PRICE.input + output * PRICE.output) / 1_000_000
const median = (numbers: ReadonlyArray<number>): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
const sumOf = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, number) => sum + number, 0)
const share = (part: number, all: number): string => (all === 0 ? "–" : (part / all).toFixed(2).replace(/^0/, ""))

const score = ({ first, rows, steps, truth }: Result) => {
  const order = new Map(steps.map(({ commit }, at) => [commit, at]))
  const positionOf = ({ commit, id }: Untrue): number => {
    const at = order.get(commit)
    if (at === undefined) throw new Error(`the history has no commit ${commit}, with which ${id} became untrue`)
    return at
  }
  const since = new Map(truth.map((untrue) => [untrue.id, positionOf(untrue)]))
  const isUntrue = (id: string, at: number) => (since.get(id) ?? Number.POSITIVE_INFINITY) <= at
  const isSaid = (at: number, id: string) => steps[at]?.verdicts.get(id) === "untrue"
  const flags = steps.flatMap(({ verdicts }, at) =>
    [...verdicts].flatMap(([id, verdict]) => (verdict === "untrue" ? [{ id, at }] : [])),
  )
  const asked = steps.flatMap(({ verdicts }) => [...verdicts.values()])
  const firstCost = cost(first.inputTokens, first.outputTokens)
  const costs = steps.map(({ input, output }) => cost(input, output))
  return {
    statements: rows.length,
    words: sumOf(rows.map(({ text }) => wordsIn(text))),
    commits: steps.length,
    touched: steps.map(({ touched }) => touched.length),
    touchedWords: steps.map(({ words }) => words),
    gone: sumOf(steps.map(({ gone }) => gone.length)),
    unnamed: steps.flatMap(({ commit, named, touched }) =>
      touched.filter((id) => !named.includes(id)).map((id) => `${commit} ${id}`),
    ),
    untrue: truth.length,
    found: truth.filter((each) => steps[positionOf(each)]?.touched.includes(each.id)).length,
    judged: truth.filter((each) => isSaid(positionOf(each), each.id)).length,
    flags: flags.length,
    wrong: flags.filter(({ at, id }) => !isUntrue(id, at)).map(({ at, id }) => `${steps[at]?.commit} ${id}`),
    missed: truth.filter((each) => !isSaid(positionOf(each), each.id)),
    undecided: asked.filter((verdict) => verdict === "unseen").length,
    unrecorded: asked.filter((verdict) => verdict === "unrecorded").length,
    tokens: steps.map(({ input, output }) => input + output),
    costs,
    firstTokens: first.inputTokens + first.outputTokens,
    firstCost,
    shares: costs.map((cost) => cost / firstCost),
  }
}

type Score = ReturnType<typeof score>

const total = (scores: ReadonlyArray<Score>): Score => ({
  statements: sumOf(scores.map(({ statements }) => statements)),
  words: sumOf(scores.map(({ words }) => words)),
  commits: sumOf(scores.map(({ commits }) => commits)),
  touched: scores.flatMap(({ touched }) => touched),
  touchedWords: scores.flatMap(({ touchedWords }) => touchedWords),
  gone: sumOf(scores.map(({ gone }) => gone)),
  unnamed: scores.flatMap(({ unnamed }) => unnamed),
  untrue: sumOf(scores.map(({ untrue }) => untrue)),
  found: sumOf(scores.map(({ found }) => found)),
  judged: sumOf(scores.map(({ judged }) => judged)),
  flags: sumOf(scores.map(({ flags }) => flags)),
  wrong: scores.flatMap(({ wrong }) => wrong),
  missed: scores.flatMap(({ missed }) => missed),
  undecided: sumOf(scores.map(({ undecided }) => undecided)),
  unrecorded: sumOf(scores.map(({ unrecorded }) => unrecorded)),
  tokens: scores.flatMap(({ tokens }) => tokens),
  costs: scores.flatMap(({ costs }) => costs),
  firstTokens: sumOf(scores.map(({ firstTokens }) => firstTokens)),
  firstCost: sumOf(scores.map(({ firstCost }) => firstCost)),
  shares: scores.flatMap(({ shares }) => shares),
})

const mean = (numbers: ReadonlyArray<number>): number => sumOf(numbers) / Math.max(1, numbers.length)

const HEADER = [
  "| | statements | words | commits | touched a commit, mean (median) | words touched | gone | untrue | found, touched | found, judged | flags | wrong | undecided | tokens of a judgement, mean (median) | of a first run | share of its cost, mean (median, most) |",
  `| --- |${" ---: |".repeat(15)}`,
].join("\n")

const line = (name: string, all: Score): string => {
  const both = (numbers: ReadonlyArray<number>, digits: number) =>
    `${mean(numbers).toFixed(digits)} (${median(numbers).toFixed(digits)})`
  const cells = [
    name,
    all.statements,
    all.words,
    all.commits,
    both(all.touched, 1),
    both(all.touchedWords, 0),
    all.gone,
    all.untrue,
    `${all.found} (${share(all.found, all.untrue)})`,
    `${all.judged} (${share(all.judged, all.untrue)})`,
    all.flags,
    `${all.wrong.length} (${share(all.wrong.length, all.flags)})`,
    all.undecided,
    both(all.tokens, 0),
    all.firstTokens,
    `${mean(all.shares).toFixed(3)} (${median(all.shares).toFixed(3)}, ${Math.max(...all.shares).toFixed(3)})`,
  ]
  return `| ${cells.join(" | ")} |`
}

const main = Effect.gen(function* () {
  const [folder] = positionals
  if (folder === undefined) {
    console.error("usage: node bench/staleness.ts FOLDER [--only TEXT] [--details] [--open FOLDER]")
    process.exit(2)
  }
  const scores: Array<Score> = []
  console.log(HEADER)
  for (const name of fs.readdirSync(data).filter((name) => name.includes(values.only))) {
    const history: History = JSON.parse(fs.readFileSync(path.join(data, name, "history.json"), "utf8"))
    const checkout = path.join(folder, history.repo.replace("/", "+"))
    if (!fs.existsSync(checkout)) {
      console.error(`${history.repo} is left out: there is no clone at ${checkout}`)
      continue
    }
    const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-staleness-"))
    const clone = path.join(fs.realpathSync(temporary), name)
    const result = yield* Effect.gen(function* () {
      execFileSync("git", ["clone", "--quiet", "--no-checkout", fs.realpathSync(checkout), clone])
      return yield* step(name, clone, history)
    }).pipe(Effect.scoped, Effect.ensuring(Effect.sync(() => fs.rmSync(temporary, { recursive: true, force: true }))))
    const own = score(result)
    scores.push(own)
    console.log(line(history.repo, own))
    if (values.details) {
      for (const { commit, gone, named, statements, touched, verdicts, words } of result.steps) {
        const said = [...verdicts].filter(([, verdict]) => verdict !== "holds").map((each) => each.join(" "))
        console.error(JSON.stringify({ commit, statements, touched, gone, named: named.length, words, said }))
      }
    }
    for (const { commit, id, why } of own.missed) console.error(`missed: ${commit} ${id}: ${why}`)
    for (const each of own.wrong) console.error(`wrong: ${each}`)
    for (const each of own.unnamed) console.error(`not named by a check: ${each}`)
    if (own.unrecorded > 0) console.error(`${name}: ${own.unrecorded} statements have no recorded answer`)
  }
  if (scores.length > 1) console.log(line("all", total(scores)))
})

await Effect.runPromise(
  main.pipe(Effect.provide(Layer.mergeAll(ReviewLayer.layer, Layer.provide(WikiFolder.layer, NodeFiles.layer)))),
)
