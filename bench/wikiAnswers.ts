/**
 * `node bench/wikiAnswers.ts FOLDER [--only TEXT] [--details] [--limit CHARACTERS]`: how many facts that answer a
 * newcomer's questions `vibe wiki QUESTION` shows, beside those that stand on any page, and in how many characters.
 *
 * FOLDER holds clones with their history, named `owner+name`. A repository that is not there is left out, and nothing
 * is fetched. A folder of `wikiAnswers` has these files:
 *
 * - `base.json`: the repository and its commit
 * - `wiki/` and `purposes.jsonl`: what a capable model has written about that commit, over vibe's own requests
 * - `questions.jsonl`: questions that another model wrote by reading the code, before it saw a page: each with two or
 *   three facts that a right answer has, a pattern for each, and the characters that a reader with grep takes for it
 *
 * A pattern finds a fact also where it is told in passing, and misses one in words that it does not have, so figures
 * are for comparing two searches, and two wikis of one project. `--limit` allows answers of more or fewer characters.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SymbolsLayer from "../src/app/SymbolsLayer.ts"
import { plain } from "../src/base/Style.ts"
import * as NodeFiles from "../src/code/Files/Node.ts"
import * as Workspace from "../src/code/Workspace.ts"
import * as Sqlite from "../src/index/IndexStore/Sqlite.ts"
import * as IndexStore from "../src/index/IndexStore.ts"
import * as PageText from "../src/wiki/PageText.ts"
import { defaultLimits, findStatements } from "../src/wiki/reading/findStatements.ts"
import * as Relevance from "../src/wiki/reading/Relevance.ts"
import { readWiki } from "../src/wiki/reading/readWiki.ts"
import * as StatementText from "../src/wiki/StatementText.ts"
import * as States from "../src/wiki/States.ts"
import * as WikiFolder from "../src/wiki/WikiStore/Folder.ts"
import * as WikiStore from "../src/wiki/WikiStore.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    details: { type: "boolean", default: false },
    limit: { type: "string", default: String(defaultLimits.characters) },
  },
})

interface Question {
  readonly question: string
  readonly facts: ReadonlyArray<{ readonly text: string; readonly pattern: string }>
  readonly grepCharacters: number
}

interface Answered extends Question {
  readonly answer: string
  readonly shown: ReadonlyArray<boolean>
  /** The page and the statement that tell each fact, wherever that is. */
  readonly told: ReadonlyArray<string | undefined>
}

const data = path.join(import.meta.dirname, "wikiAnswers")

const readJson = (file: string) => JSON.parse(fs.readFileSync(file, "utf8"))

const questionsOf = (name: string): ReadonlyArray<Question> =>
  fs
    .readFileSync(path.join(data, name, "questions.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line))

const patternOf = (pattern: string) => new RegExp(pattern, "i")

const ask = Effect.fnUntraced(function* (name: string, clone: string) {
  const workspace = yield* Workspace.open(clone)
  const index = yield* (yield* IndexStore.IndexStore).open(workspace)
  yield* index.refresh
  const { pages: documents, states } = yield* readWiki(yield* WikiStore.WikiStore, { index, workspace })
  const pages = documents.map(({ page }) => page)
  const statements = pages.flatMap((page) =>
    States.statementsOf(page).map(({ text }) => ({ page: page.name, text: StatementText.toPlain(text) })),
  )
  const options = { states, style: plain, columns: undefined, displayPath: (path: string) => path }
  const limits = { ...defaultLimits, characters: Number(values.limit) }
  return yield* Effect.forEach(questionsOf(name), (question) =>
    Effect.map(Relevance.ofQuestion(index, question.question), (relevance): Answered => {
      const answers = findStatements(question.question, pages, { limits, relevance })
      const answer = answers.flatMap((each) => PageText.answerLines(each, options)).join("\n")
      return {
        ...question,
        answer,
        shown: question.facts.map(({ pattern }) => patternOf(pattern).test(answer)),
        told: question.facts.map(({ pattern }) => {
          const found = statements.find(({ text }) => patternOf(pattern).test(text))
          return found && `${found.page}: ${found.text}`
        }),
      }
    }),
  )
})

const layer = WikiFolder.layer.pipe(
  Layer.provideMerge(Sqlite.layerMemory),
  Layer.provideMerge(SymbolsLayer.layer),
  Layer.provideMerge(NodeFiles.layer),
)

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, each) => all + each, 0)
const count = (some: ReadonlyArray<unknown>): number =>
  some.filter((each) => each !== undefined && each !== false).length

const row = (what: string, answered: ReadonlyArray<Answered>): string => {
  const right = answered.filter(({ shown }) => shown.every(Boolean)).length
  const none = answered.filter(({ shown }) => !shown.some(Boolean)).length
  const characters = sum(answered.map(({ answer }) => answer.length))
  const ofGrep = characters / sum(answered.map(({ grepCharacters }) => grepCharacters))
  const cells = [
    what,
    answered.length,
    right,
    answered.length - right - none,
    none,
    `${count(answered.flatMap(({ shown }) => shown))} of ${answered.flatMap(({ facts }) => facts).length}`,
    count(answered.flatMap(({ told }) => told)),
    characters.toLocaleString("en"),
    ofGrep.toFixed(2).replace(/^0/, ""),
  ]
  return `| ${cells.join(" | ")} |`
}

const details = (answered: ReadonlyArray<Answered>): string =>
  answered
    .flatMap(({ answer, facts, question, shown, told }) => [
      `\n## ${question}`,
      answer,
      ...facts.map(({ text }, at) => {
        const state = shown[at] ? "shown" : told[at] === undefined ? "on no page" : `not shown (${told[at]})`
        return `  * ${state}: ${text}`
      }),
    ])
    .join("\n")

const [folder] = positionals
if (folder === undefined) throw new Error("usage: node bench/wikiAnswers.ts FOLDER, with clones named owner+name")
const all: Array<Answered> = []
const rows: Array<string> = []
for (const name of fs.readdirSync(data).filter((each) => each.includes(values.only))) {
  const { commit } = readJson(path.join(data, name, "base.json"))
  const source = path.join(folder, name)
  if (!fs.existsSync(source)) {
    console.error(`${name}: there is no clone in ${folder}, so it is left out`)
    continue
  }
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-bench-"))
  try {
    const clone = path.join(temporary, name)
    const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { stdio: ["ignore", "ignore", "pipe"] })
    git("clone", "--quiet", "--shared", "--no-checkout", fs.realpathSync(source), clone)
    git("-C", clone, "checkout", "--quiet", commit)
    fs.mkdirSync(path.join(clone, ".vibe"))
    fs.cpSync(path.join(data, name, "wiki"), path.join(clone, ".vibe", "wiki"), { recursive: true })
    fs.copyFileSync(path.join(data, name, "purposes.jsonl"), path.join(clone, ".vibe", "purposes.jsonl"))
    const answered = await Effect.runPromise(ask(name, clone).pipe(Effect.scoped, Effect.provide(layer)))
    if (values.details) console.log(`\n# ${name}\n${details(answered)}`)
    all.push(...answered)
    rows.push(row(name.replace("+", "/"), answered))
  } finally {
    fs.rmSync(temporary, { recursive: true })
  }
}
console.log(
  [
    "",
    "| | questions | right | in part | not | facts shown | facts on any page | characters | of those with grep |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...rows,
    row("all", all),
  ].join("\n"),
)
