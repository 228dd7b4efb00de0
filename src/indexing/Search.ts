/** How questions and code meet: the words that both are taken apart into, and what makes one symbol a better answer. */
import * as EditDistance from "./EditDistance.ts"

/**
 * The words of a text, in lower case: identifiers taken apart at case, digits and underscores, and whole as well
 * (`readFile2` → `read`, `file`, `2`, `readfile2`).
 */
export const words = (text: string): ReadonlyArray<string> => runsOf(text).flatMap(wordsOfRun)

/** What a text is found by: its words but for those that say nothing, without their endings, in order. */
export const terms = (text: string): ReadonlyArray<string> => runsOf(text).flatMap(termsOfRun)

/** The terms of a question, each once; none for a question without any. */
export const asked = (question: string): ReadonlyArray<string> =>
  Array.from(new Set(terms(question))).slice(0, MAX_TERMS)

/** More than a person writes. */
const MAX_TERMS = 64

/** The runs of letters and digits of a text, in order. */
export const runsOf = (text: string): ReadonlyArray<string> =>
  (isBeyondAscii(text) ? text.normalize("NFC").match(/[\p{L}\p{M}\p{N}_]+/gu) : text.match(/\w+/g)) ?? []

// Most texts are not. Here and below there is a pattern for those: they match in half the time, and Unicode's classes
// take up to a millisecond each to be made, where the first text is that needs them.
const isBeyondAscii = (text: string): boolean => /[^\0-\x7f]/.test(text)

const wordsOfRun = (run: string): ReadonlyArray<string> => {
  const parts = partsOfRun(run)
  const words = parts.map((part) => part.toLowerCase())
  return parts.length > 1 ? [...words, run.replaceAll("_", "").toLowerCase()] : words
}

/** `HTTPServer` → `HTTP`, `Server`. */
const partsOfRun = (run: string): ReadonlyArray<string> =>
  run.match(
    isBeyondAscii(run)
      ? /\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+/gu
      : /[0-9]+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g,
  ) ?? []

/** The terms of one run: the same wherever it stands. */
export const termsOfRun = (run: string): ReadonlyArray<string> =>
  wordsOfRun(run)
    .filter((word) => word.length <= MAX_LENGTH && !stopWords.has(word))
    .map(stem)

/** What is longer is data, not a word. */
const MAX_LENGTH = 64

/**
 * What the forms of an English word have in common (`cache`, `caches`, `cached`, `caching` → `cach`). Coarser than the
 * classic algorithms, and on the questions of the retrieval benchmark no worse.
 */
export const stem = (word: string): string => {
  if (!/^[a-z]{4,}$/.test(word)) return word
  const singular = word.replace(/ies$/, "y").replace(/(ss|x|ch|sh)es$|([^su])s$/, "$1$2")
  const root = endings.exec(singular)?.[1] ?? singular
  return root.replace(/([^aeiouylsz])\1$/, "$1").replace(/(?<=...)y$/, "i")
}

/** All that follow on three letters or more with a vowel among them: `render`, `rendered` and `rendering` lose as much. */
const endings = /^(.*?[aeiouy].*?(?<=^.{3,}))(?:(?:i[sz])?(?:at)?(?:ion|ing|ed|er|or|e))+$/

const stopWords: ReadonlySet<string> = new Set(
  (
    "a about all also an and any are as at be been being between by can could did do does each for from had has have " +
    "how i if in into is it its me more most my no not of on or other our over per s should so some such t than that " +
    "the their them then there these they this those through to under up use used uses using via was we were what " +
    "when where which while who why will with within without would you your"
  ).split(" "),
)

/** What in a question looks like a name out of code, and not like a plain word. */
export const names = (question: string): ReadonlyArray<string> =>
  Array.from(new Set(pathsIn(question).filter(isCodeLike))).slice(0, MAX_TERMS)

const pathsIn = (question: string): ReadonlyArray<string> =>
  question.match(
    isBeyondAscii(question)
      ? /[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*/gu
      : /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g,
  ) ?? []

/** `readFile`, `HTTPServer`, `read_file`, `Forest.append`, `$emit`. */
const isCodeLike = (path: string): boolean =>
  (isBeyondAscii(path) ? /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|[_$.]/u : /[a-z][A-Z]|[A-Z]{2}[a-z]|[_$.]/).test(path)

/** A symbol that comes into question. */
export interface Candidate {
  readonly id: number
  readonly file: number
  readonly kind: string
  /** It is about the code rather than the code itself: see `isAside`. */
  readonly isAside: boolean
  readonly usedBy: number
  /** How well its own words match, and those of its file; 0 where none does. */
  readonly match: number
  readonly fileMatch: number
  /** The question is its name, or says it among other words. */
  readonly named: "alone" | "within" | undefined
}

export interface Ranked {
  readonly id: number
  readonly score: number
}

/**
 * Best first. Measured on the development questions of the retrieval benchmark; the numbers are round because the
 * optimum is flat.
 */
export const rank = (question: string, candidates: ReadonlyArray<Candidate>): ReadonlyArray<Ranked> => {
  const aside = weightOfAsides(question)
  const scored = candidates
    .map(({ file, fileMatch, id, isAside, kind, match, named, usedBy }) => {
      const weight = (isAside ? aside : 1) * (minor.has(kind) ? 0.7 : 1) * (named === "within" ? 1.25 : 1)
      return { id, file, named, score: relevance(match, fileMatch) * weight * gain(usedBy) }
    })
    .sort(byScore)
  const most = scored[0]?.score ?? 0
  return spread(scored)
    .map(({ id, named, score }) => ({ id, score: named === "alone" ? score + most + 1 : score }))
    .sort(byScore)
}

/** What no candidate scores more than, unless the question names it. `value`: its relevance, with the weight of asides. */
export const most = (value: number): number => value * gain(MOST_USERS)

/** More files than use anything. */
const MOST_USERS = 1_000_000

/** What more files use is a slightly better answer. */
const gain = (usedBy: number): number => 1 + 0.01 * Math.log1p(usedBy)

/** What the words of a symbol and those of its file make together: what is asked for mostly stands among its like. */
export const relevance = (match: number, fileMatch: number): number => match + 0.75 * fileMatch

/** How much what is about the code counts, beside the code itself. */
export const weightOfAsides = (question: string): number => (asksForTests.test(question) ? 0.7 : 0.5)

/** Kinds whose names are mostly common words, and which say little beyond them. */
const minor: ReadonlySet<string> = new Set(["field", "constant", "variable"])

/** Each further answer from one file counts a little less, so that ten answers do not all come from one. */
const spread = <A extends { readonly file: number; readonly score: number }>(scored: ReadonlyArray<A>) => {
  const seen = new Map<number, number>()
  return scored.map((candidate) => {
    const earlier = seen.get(candidate.file) ?? 0
    seen.set(candidate.file, earlier + 1)
    return { ...candidate, score: candidate.score * 0.75 ** earlier }
  })
}

const byScore = (one: Ranked, other: Ranked): number => other.score - one.score || one.id - other.id

/** Tests, documentation, examples, benchmarks: about the code rather than the code itself. */
export const isAside = (path: string): boolean => asides.test(path)

const asides =
  /(?:^|\/)(?:__tests__|tests?|testing|specs?|e2e|docs?|examples?|bench(?:marks?)?)\/|(?:^|\/)(?:test_|conftest\.)|[._-](?:test|spec|bench)\.\w+$/i

const asksForTests = /\b(?:tests?|testing|specs?)\b/i

/**
 * How unlike symbols are to one that was asked for and not found; none for those too unlike to be meant. 0: but for
 * case; below 2: a slip of the pen; then what begins like it, and what has it in it.
 */
export const unlikeness = (asked: string) => {
  const wanted = meant(asked)
  const last = wanted.slice(wanted.lastIndexOf(".") + 1)
  const toLast = difference(last)
  const toWanted = difference(wanted)
  return (name: string, qualifiedName: string): number | undefined => {
    const alone = toLast(name.toLowerCase())
    if (last === wanted) return alone
    const whole = toWanted(qualifiedName.toLowerCase())
    // Right but for where it stands.
    const elsewhere = alone === undefined ? undefined : alone + 1
    return whole === undefined || elsewhere === undefined ? (whole ?? elsewhere) : Math.min(whole, elsewhere)
  }
}

/** Whether it says what the symbol stands in. */
export const isQualified = (asked: string): boolean => meant(asked).includes(".")

const meant = (asked: string): string =>
  asked
    .replace(/\(.*$/s, "")
    .replaceAll(/::|->|#/g, ".")
    .toLowerCase()

const difference = (wanted: string) => {
  const distance = EditDistance.from(wanted, Math.max(1, Math.floor(wanted.length / 3)))
  return (name: string): number | undefined => {
    const edits = distance(name)
    if (edits !== undefined) return edits
    if (Math.min(wanted.length, name.length) < 3) return undefined
    const surplus = Math.abs(wanted.length - name.length) / 1000
    if (name.startsWith(wanted) || wanted.startsWith(name)) return 2 + surplus
    return name.includes(wanted) || wanted.includes(name) ? 3 + surplus : undefined
  }
}
