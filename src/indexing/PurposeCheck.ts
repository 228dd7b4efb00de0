/**
 * Checks a purpose that a model wrote, before it is recorded, without asking a model. One that fails is recorded as weak.
 *
 * Measured on 2,050 purposes of code that capable models wrote for three repositories (requests, flask, pytest): 98 of 100
 * pass. To ask for the first five results of the search for each would fail a half of them: their words are not those of
 * the source, which is what they are good for.
 */
import * as Effect from "effect/Effect"
import { sanitizeLine } from "../message/Sanitize.ts"
import * as Tokenizer from "../search/Tokenizer.ts"
import type { IndexEntry } from "./IndexEntry.ts"
import type { IndexError } from "./IndexError.ts"
import type { Index } from "./IndexStore.ts"

/** What a model says that a symbol is for. */
export interface Candidate {
  readonly entry: IndexEntry
  /** As `toStored` returns it. */
  readonly text: string
  /** The lines of the symbol. */
  readonly source: ReadonlyArray<string>
}

export interface Result {
  /** Why it is weak: a short sentence for the model; none for one that passes. */
  readonly weak: string | undefined
  /** See `Purpose.lines`. */
  readonly lines: ReadonlyArray<number>
}

/** Longer ones are cut: a purpose is one or two sentences. */
export const MAX_WORDS = 60

const MAX_CHARS = 600

/**
 * The text to store: one line without escape sequences, control and invisible characters, at most `MAX_WORDS` long, cut at
 * the end of a sentence where there is one.
 */
export const toStored = (purpose: string): string => {
  // Far more than is kept; it bounds the work for a text of any length.
  const text = sanitizeLine(purpose.slice(0, 10 * MAX_CHARS))
    .replaceAll(/\s+/g, " ")
    .trim()
  const words = text.split(" ")
  if (words.length <= MAX_WORDS && text.length <= MAX_CHARS) return text
  const most = words.slice(0, MAX_WORDS).join(" ").slice(0, MAX_CHARS)
  const sentences = /^.*[.!?](?=\s|$)/.exec(most)?.[0]
  return (
    sentences ??
    `${most
      .slice(0, MAX_CHARS - 1)
      .toWellFormed()
      .trimEnd()}…`
  )
}

/**
 * Checks all purposes of a call together, with one query for all of their words. Only one without a rare word is searched
 * for, which takes some milliseconds.
 */
export const check = (
  index: Index,
  candidates: ReadonlyArray<Candidate>,
): Effect.Effect<ReadonlyArray<Result>, IndexError> =>
  Effect.gen(function* () {
    const repeated = findRepeated(candidates)
    const terms = candidates.flatMap(({ text }) => [...Tokenizer.partTerms(text), ...codeTerms(text).values()])
    const { counts, symbols } = yield* index.termCounts(Array.from(new Set(terms)))
    return yield* Effect.forEach(candidates, (candidate) => {
      const { entry, source, text } = candidate
      const telling = tellingTerms(entry, text)
      const lines = findEvidence(telling, source, counts, symbols)
      const problem =
        findForeign(text) ??
        (repeated.has(candidate) ? "the same sentence as for other symbols" : undefined) ??
        (telling.length === 0 ? "says no more than its name" : undefined) ??
        findUnknown(candidate, counts)
      if (problem !== undefined) return Effect.succeed({ weak: problem, lines })
      const isRare = (term: string) => (counts.get(term) ?? 0) <= Math.max(MIN_COMMON, symbols * COMMON_SHARE)
      return telling.length >= ENOUGH_TERMS || telling.some(isRare)
        ? Effect.succeed({ weak: undefined, lines })
        : Effect.map(findsItself(index, entry, text), (found) => ({
            weak: found ? undefined : "fits other symbols as well",
            lines,
          }))
    })
  })

/** With that many telling words a text is found by them together. */
const ENOUGH_TERMS = 3

/** A word of more symbols than that does not tell one from the others. */
const COMMON_SHARE = 0.08
const MIN_COMMON = 3

/** Whether the search has the symbol among its first five results, asked without the symbol's own name. */
const findsItself = (index: Index, entry: IndexEntry, text: string): Effect.Effect<boolean, IndexError> =>
  Effect.map(index.search(withoutName(text, entry.name), 5), (hits) =>
    hits.some(({ entry: hit }) => hit.path === entry.path && hit.qualifiedName === entry.qualifiedName),
  )

const withoutName = (text: string, name: string): string => {
  const own = new Set(Tokenizer.partTerms(name))
  return Tokenizer.splitRuns(text)
    .filter((run) => !Tokenizer.partTerms(run).some((term) => own.has(term)))
    .join(" ")
}

/** The terms of a purpose that neither the name, the container or the signature has nor a purpose of anything. Each once. */
export const tellingTerms = ({ container = "", name, signature }: IndexEntry, text: string): ReadonlyArray<string> => {
  const own = new Set(Tokenizer.partTerms(`${name} ${container} ${signature}`))
  return Array.from(new Set(Tokenizer.partTerms(text))).filter((term) => !own.has(term) && !general.has(term))
}

/** Words that fit any symbol of any program. */
const general: ReadonlySet<string> = new Set(
  Tokenizer.partTerms(
    "handle process manage manager perform execute operation operate act action activity task job thing item entity unit " +
      "data information value object instance class function method module library package code codebase program " +
      "software system application component part piece member resource " +
      "utility helper help tool routine procedure logic business implementation implement functionality functional " +
      "feature purpose behaviour behavior concern aspect " +
      "main primary core central important basic general generic common simple specific particular certain various " +
      "different multiple several many other additional relevant related appropriate corresponding necessary useful " +
      "needed need required require given provided incoming outgoing " +
      "say hold keep store later further lifecycle caller place provide support enable allow ensure maintain represent define describe contain include encapsulate wrap abstract " +
      "abstraction facilitate coordinate serve deal produce " +
      "input output result return argument parameter attribute property field variable constant type state " +
      "create make build construct initialize initialise set get give take obtain retrieve add work run do call invoke " +
      "named name internal internally external overall throughout elsewhere rest environment context project " +
      "responsible responsibility role interact entry point check condition boolean true false whether determine decide based " +
      "according current new whole entire single one two first second way case just simply only same own interface",
  ),
)

/** Candidates whose sentence stands for three symbols or more of the call. */
const findRepeated = (candidates: ReadonlyArray<Candidate>): ReadonlySet<Candidate> =>
  new Set(groupRepeated(candidates).flat())

/** The groups of candidates with one sentence for three symbols or more. Overloads are one symbol. */
const groupRepeated = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<ReadonlyArray<Candidate>> =>
  Array.from(Map.groupBy(candidates, ({ text }) => Tokenizer.words(text).join(" ")).values()).filter(
    (group) => countSymbols(group) >= MIN_REPEATED,
  )

const MIN_REPEATED = 3

const countSymbols = (candidates: ReadonlyArray<Candidate>): number =>
  new Set(candidates.map(({ entry: { path, qualifiedName } }) => `${path}\0${qualifiedName}`)).size

/** Why a call is refused as a whole: at least half of its symbols have sentences that stand for three of them or more. */
export const findRepetition = (candidates: ReadonlyArray<Candidate>): string | undefined => {
  const groups = groupRepeated(candidates).toSorted((one, other) => countSymbols(other) - countSymbols(one))
  const [most] = groups
  const [first] = most ?? []
  if (most === undefined || first === undefined || 2 * countSymbols(groups.flat()) < countSymbols(candidates)) return
  return `one sentence for ${countSymbols(most)} symbols (${JSON.stringify(first.text.slice(0, 60).toWellFormed())}); nothing was recorded. Say of each what tells it from the others`
}

/** A purpose by the number of its symbol, from 0. */
export interface Numbered {
  readonly position: number
  readonly text: string
}

/**
 * Finds purposes that a model has written beside the wrong numbers: one too low (1) or too high (-1), from some symbol on.
 * Of 16 of them in a row the words of the neighbours' source are then a quarter more than those of their own. With
 * purposes of models the ratio is .46 at the median and at most 1.12 in 700 rows of five repositories; shifted by one it is 2.3
 * at the median, and above 1.25 in 97 of 100. Takes some 20 ms for 100 symbols. `symbols`: all, in the order of their numbers.
 */
export const findShifted = (
  index: Index,
  purposes: ReadonlyArray<Numbered>,
  symbols: ReadonlyArray<Pick<Candidate, "entry" | "source">>,
): Effect.Effect<ReadonlyMap<number, -1 | 1>, IndexError> =>
  Effect.gen(function* () {
    if (purposes.length < SHIFT_WINDOW) return new Map()
    const sorted = purposes
      .toSorted((one, other) => one.position - other.position)
      .map(({ position, text }) => ({ position, terms: Array.from(new Set(Tokenizer.partTerms(text))) }))
    const known = yield* index.termCounts(Array.from(new Set(sorted.flatMap(({ terms }) => terms))))
    const words = symbols.map(
      ({ entry, source }) =>
        new Set(Tokenizer.partTerms(`${entry.name} ${entry.signature} ${source.slice(0, MAX_SHIFT_LINES).join("\n")}`)),
    )
    const overlap = (terms: ReadonlyArray<string>, position: number) =>
      terms.reduce(
        (sum, term) =>
          sum +
          (words[position]?.has(term) === true ? Math.log(1 + known.symbols / (1 + (known.counts.get(term) ?? 0))) : 0),
        0,
      )
    const scores = sorted.map(({ position, terms }) => ({
      position,
      own: overlap(terms, position),
      "-1": overlap(terms, position - 1),
      "1": overlap(terms, position + 1),
    }))
    const shifted = new Map<number, -1 | 1>()
    for (const by of [1, -1] as const) {
      for (let start = 0; start + SHIFT_WINDOW <= scores.length; start++) {
        const row = scores.slice(start, start + SHIFT_WINDOW)
        const own = row.reduce((sum, score) => sum + score.own, 0)
        const neighbour = row.reduce((sum, score) => sum + score[by], 0)
        if (neighbour <= SHIFT_RATIO * own) continue
        // The ends of the row may be right.
        const isWrong = (score: (typeof row)[number]) => score[by] > score.own
        for (const { position } of row.slice(row.findIndex(isWrong), row.findLastIndex(isWrong) + 1)) {
          shifted.set(position, by)
        }
      }
    }
    return shifted
  })

const SHIFT_WINDOW = 16
const SHIFT_RATIO = 1.25
const MAX_SHIFT_LINES = 200

/**
 * Why a text is not in English. That another script is another language is sure; that ten words without a single one
 * that sentences are held together with are not English is likely.
 */
export const findForeign = (text: string): string | undefined => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters >= 8 && 2 * latin < letters) return "write in English"
  const words = text.match(/[\p{L}'’-]+/gu) ?? []
  return words.length >= 10 && !words.some((word) => functionWords.has(word.toLowerCase()))
    ? "seems not to be English; write in English"
    : undefined
}

/** Those that are frequent in German or in a Romance language too, such as "on", "as" and "so", are left out. */
const functionWords: ReadonlySet<string> = new Set(
  (
    "the of to for and or with from by at are be been its it is that this these those which whose when where if a an in " +
    "into not their they them than then what how but have had can may must should does all each " +
    "every any only once before after without through between while until because both either used using same other"
  ).split(" "),
)

/** Which of the names that are written as code do not exist. */
const findUnknown = ({ source, text }: Candidate, counts: ReadonlyMap<string, number>): string | undefined => {
  const code = source.join("\n")
  const unknown = Array.from(codeTerms(text))
    .filter(([name, term]) => counts.get(term) === 0 && !code.includes(name))
    .map(([name]) => name)
  return unknown.length === 0 ? undefined : `there is no ${unknown.slice(0, 3).join(", ")}`
}

/**
 * The names of a text that are written as code, with the term that each is searched by: `camelCase`, `snake_case`, and any
 * word in backticks or with `()` behind it. Of a dotted name the parts count alone, and a plain word only where it is
 * called: `pyproject.toml` is a file.
 */
export const codeTerms = (text: string): ReadonlyMap<string, string> => {
  const marked = Array.from(text.matchAll(/`([\w$]+)`|([\w$]+)\(\)/g), ([, quoted = "", called = quoted]) => called)
  const joined = Tokenizer.splitRuns(text).filter((run) => /[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]/.test(run))
  return new Map(
    [...marked.flatMap(Tokenizer.splitRuns), ...joined]
      .filter((name) => !known.has(name))
      .flatMap((name) => {
        const term = Tokenizer.termsOfRun(name).at(-1)
        return term === undefined ? [] : [[name, term] as const]
      }),
  )
}

/** Names that prose has and that are spelt as in code, and literals. */
const known: ReadonlySet<string> = new Set(
  (
    "true false null nil undefined None True False NaN self this super void GET HEAD POST PUT PATCH DELETE OPTIONS " +
    "JavaScript TypeScript CoffeeScript ECMAScript JScript ActionScript PowerShell GitHub GitLab BitBucket YouTube " +
    "LinkedIn PayPal WordPress OpenAI OpenSSL LibreSSL PostgreSQL MySQL MariaDB MongoDB DynamoDB NoSQL GraphQL RabbitMQ " +
    "WebSocket WebSockets WebAssembly WebKit OpenAPI OAuth DevTools DevOps IntelliJ PyCharm PyPI PyPy CPython IPython " +
    "NumPy SciPy NodeJS jQuery iOS macOS iPhone iPad McCabe LaTeX MathJax BibTeX FreeBSD OpenBSD NetBSD"
  ).split(" "),
)

/**
 * The lines that share most telling words with a purpose, at most three, in their order; rare words count more. None where
 * no line has one.
 */
export const findEvidence = (
  telling: ReadonlyArray<string>,
  source: ReadonlyArray<string>,
  counts: ReadonlyMap<string, number>,
  symbols: number,
): ReadonlyArray<number> => {
  const weights = new Map(telling.map((term) => [term, Math.log(2 + symbols / (1 + (counts.get(term) ?? 0)))]))
  const scored = source
    .slice(0, MAX_SOURCE_LINES)
    .map((line, offset) => ({ offset, terms: termsOfLine(line).filter((term) => weights.has(term)) }))
  const found: Array<number> = []
  while (found.length < MAX_EVIDENCE) {
    // Words that a chosen line has are borne out already.
    const scores = scored.map(({ terms }) => terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0))
    const best = scores.indexOf(Math.max(...scores))
    if ((scores[best] ?? 0) === 0) break
    found.push(best)
    for (const term of scored[best]?.terms ?? []) weights.set(term, 0)
  }
  return found.sort((one, other) => one - other)
}

/** Whether a line has a telling word of a purpose. */
export const bearsOut = (entry: IndexEntry, text: string, line: string): boolean => {
  const terms = new Set(termsOfLine(line))
  return tellingTerms(entry, text).some((term) => terms.has(term))
}

const MAX_EVIDENCE = 3

/** The beginning of a huge symbol is enough, and bounds the work. */
const MAX_SOURCE_LINES = 2_000

const termsOfLine = (line: string): ReadonlyArray<string> =>
  Array.from(new Set(Tokenizer.partTerms(line.slice(0, 1_000))))
