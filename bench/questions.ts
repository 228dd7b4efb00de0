/**
 * `node bench/questions.ts FOLDER [--bin FILE] [--only TEXT] [--details]`: asks the questions of
 * `questions/questions.jsonl`, sixty on three repositories, and prints how often the right place comes
 * first and among the first five.
 *
 * FOLDER holds the checkouts, each named `owner+name`, at the commit that the questions name; this script fetches
 * nothing and says which are absent. Each is copied, so that it stays as it is, and indexed without a model. `--bin` is
 * the program that is asked (this checkout's source, if absent), `--only` takes the questions with a text in their id,
 * and `--details` prints the ranks of every question. Exits with 1 where no checkout is there.
 *
 * 52 of the questions have a second form (`more`), with a few further words that are true of the right place and tell
 * it from others; 58 a form (`common`) with two words of the right place that many files of the repository hold. The
 * common words were drawn by that rule, not chosen. An answer should be worse for neither. The floor is what ripgrep
 * would give: files by the rarity of the words in them.
 */
import { execFile, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs, promisify } from "node:util"

interface Question {
  readonly id: string
  readonly repository: string
  readonly commit: string
  readonly question: string
  readonly more?: string
  readonly common?: string
  /** Each of them is right. Without a symbol any place in the file is. */
  readonly answers: ReadonlyArray<Place>
  readonly kind: string
}

interface Place {
  readonly path: string
  readonly symbol?: string
}

/** Of the first right symbol and the first right file among the results, from 1; infinite where none is right. */
interface Ranks {
  readonly symbol: number
  readonly file: number
}

interface Answered {
  readonly question: Question
  readonly plain: Ranks
  readonly more: Ranks | undefined
  readonly common: Ranks | undefined
  readonly floor: number
  /** What stands first in the answer to the plain form. */
  readonly first: Place | undefined
}

/** Results asked for; a right one behind them counts as none. */
const LIMIT = 10

/** Files above so many bytes are data. */
const LARGEST = 1_000_000

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    bin: { type: "string", default: path.resolve(import.meta.dirname, "../src/bin.ts") },
    only: { type: "string", default: "" },
    details: { type: "boolean", default: false },
  },
})

const execute = promisify(execFile)

const ask = async (root: string, words: string): Promise<ReadonlyArray<Place>> => {
  const { stdout } = await execute(
    process.execPath,
    [values.bin, "query", "--root", root, "--limit", String(LIMIT), "--json", words],
    { maxBuffer: 1 << 26 },
  )
  const { results }: { readonly results: ReadonlyArray<Place> } = JSON.parse(stdout)
  return results
}

/** Private names (`#add`) and receivers (`(*Reader).readFiles`) are written in several ways. */
const partsOf = (symbol = ""): ReadonlyArray<string> => symbol.split(/[^\w$]+/).filter((part) => part !== "")

const isRight = (answer: Place, result: Place): boolean => {
  if (answer.path !== result.path) return false
  if (answer.symbol === undefined) return true
  const [wanted, found] = [partsOf(answer.symbol), partsOf(result.symbol)]
  // Of `prompt` a result may name the function alone, of `ProgressBar.eta` not another class's `eta`.
  return wanted.length <= found.length
    ? wanted.every((part, i) => part === found[found.length - wanted.length + i])
    : found.length === 1 && found[0] === wanted.at(-1)
}

const firstOf = <A>(list: ReadonlyArray<A>, holds: (item: A) => boolean): number => {
  const at = list.findIndex(holds)
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1
}

const ranksOf = ({ answers }: Question, results: ReadonlyArray<Place>): Ranks => ({
  symbol: firstOf(results, (result) => answers.some((answer) => isRight(answer, result))),
  file: firstOf([...new Set(results.map((result) => result.path))], (file) =>
    answers.some((answer) => answer.path === file),
  ),
})

/** The text of every file that git would keep, in small letters. */
const textsOf = (root: string): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const relative = path.relative(root, file)
    if (!entry.isFile() || /^\.(git|vibe)\b/.test(relative) || fs.statSync(file).size > LARGEST) continue
    const text = fs.readFileSync(file, "utf8")
    if (!text.includes("\0")) texts.set(relative.split(path.sep).join("/"), text.toLowerCase())
  }
  return texts
}

/** Files by the sum of the words in them, each weighing the logarithm of how rare it is; ties by path. */
const byRarity = (texts: ReadonlyMap<string, string>, words: string): ReadonlyArray<string> => {
  const scores = new Map<string, number>()
  for (const word of new Set(words.toLowerCase().match(/[\w$]{2,}/g))) {
    const holding = [...texts].filter(([, text]) => text.includes(word)).map(([file]) => file)
    for (const file of holding) scores.set(file, (scores.get(file) ?? 0) + Math.log(texts.size / holding.length))
  }
  return [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([file]) => file)
}

const answer = async (question: Question, root: string, texts: ReadonlyMap<string, string>): Promise<Answered> => {
  const [results = [], more, common] = await Promise.all(
    [question.question, question.more, question.common].map((words) =>
      words === undefined ? undefined : ask(root, words),
    ),
  )
  return {
    question,
    plain: ranksOf(question, results),
    more: more && ranksOf(question, more),
    common: common && ranksOf(question, common),
    floor: ranksOf(
      question,
      byRarity(texts, question.question)
        .slice(0, LIMIT)
        .map((file) => ({ path: file })),
    ).file,
    first: results[0],
  }
}

const share = (ranks: ReadonlyArray<number>, most: number): string =>
  String(ranks.filter((rank) => rank <= most).length)

const meanReciprocal = (ranks: ReadonlyArray<number>): string =>
  (ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length).toFixed(3)

const row = (what: string, ranks: ReadonlyArray<number>): string =>
  `| ${[what, ranks.length, share(ranks, 1), share(ranks, 5), ranks.length === 0 ? "" : meanReciprocal(ranks)].join(" | ")} |`

const table = (of: string, answered: ReadonlyArray<Answered>): string =>
  [
    row(
      `${of}: symbols`,
      answered.map(({ plain }) => plain.symbol),
    ),
    row(
      `${of}: files`,
      answered.map(({ plain }) => plain.file),
    ),
    row(
      `${of}: files by the rarity of words (floor)`,
      answered.map(({ floor }) => floor),
    ),
  ].join("\n")

type Form = "more" | "common"

/** The questions that have the form, without and with its words, and those that it makes worse. */
const formTable = (form: Form, answered: ReadonlyArray<Answered>): string => {
  const both = answered.flatMap(({ plain, question, [form]: longer }) =>
    longer === undefined ? [] : [{ question, plain: plain.symbol, longer: longer.symbol }],
  )
  const worse = both.filter(({ longer, plain }) => longer > plain)
  const better = both.filter(({ longer, plain }) => longer < plain)
  return `| form | questions | right first | in the first five | MRR of ten |
| --- | ---: | ---: | ---: | ---: |
${row(
  "plain",
  both.map(({ plain }) => plain),
)}
${row(
  form,
  both.map(({ longer }) => longer),
)}

${better.length} better, ${worse.length} worse
${worse
  .map(({ longer, plain, question }) => `  ${question.id} ${shown(plain)} to ${shown(longer)}: ${question[form]}\n`)
  .join("")}`
}

const shown = (rank: number): string => (Number.isFinite(rank) ? String(rank) : "none")

const [folder] = positionals
if (folder === undefined) throw new Error("name the folder that holds the checkouts")
const questions: ReadonlyArray<Question> = fs
  .readFileSync(path.join(import.meta.dirname, "questions", "questions.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line))

const answered: Array<Answered> = []
for (const [repository, asked = []] of Object.entries(Object.groupBy(questions, ({ repository }) => repository))) {
  const chosen = asked.filter(({ id }) => id.includes(values.only))
  const checkout = path.join(folder, repository.replace("/", "+"))
  if (chosen.length === 0) continue
  if (!fs.existsSync(checkout)) {
    process.stderr.write(`absent: ${checkout} (${repository} at ${chosen[0]?.commit})\n`)
    continue
  }
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "vibe-questions-"))
  try {
    fs.cpSync(checkout, root, { recursive: true })
    fs.rmSync(path.join(root, ".vibe"), { recursive: true, force: true })
    const made = spawnSync(process.execPath, [values.bin, "index", root, "--model", "offline"], { encoding: "utf8" })
    if (made.status !== 0) throw new Error(`index of ${repository}: exit ${made.status}\n${made.stderr}`)
    const texts = textsOf(root)
    for (const question of chosen) answered.push(await answer(question, root, texts))
  } finally {
    fs.rmSync(root, { recursive: true })
  }
}

if (values.details) {
  for (const { common, first, floor, more, plain, question } of answered) {
    const at = `symbol ${shown(plain.symbol)}, file ${shown(plain.file)}, floor ${shown(floor)}`
    const forms = Object.entries({ more, common }).map(([form, ranks]) => ranks && `, ${form} ${shown(ranks.symbol)}`)
    const instead = plain.symbol === 1 ? "" : `; first is ${first?.path}:${first?.symbol}`
    process.stdout.write(
      `${question.id} (${question.kind}) ${question.question}\n    ${at}${forms.join("")}${instead}\n`,
    )
  }
}
if (answered.length > 0) {
  const kinds = Object.entries(Object.groupBy(answered, ({ question }) => question.kind))
  const tables = Object.entries(Object.groupBy(answered, ({ question }) => question.repository))
    .map(([repository, of = []]) => table(repository, of))
    .concat(table("all", answered))
  process.stdout.write(`
| | questions | right first | in the first five | MRR of ten |
| --- | ---: | ---: | ---: | ---: |
${tables.join("\n")}
${kinds
  .map(([kind, of = []]) =>
    row(
      `kind ${kind}: symbols`,
      of.map(({ plain }) => plain.symbol),
    ),
  )
  .join("\n")}

${formTable("more", answered)}
${formTable("common", answered)}`)
} else process.exitCode = 1
