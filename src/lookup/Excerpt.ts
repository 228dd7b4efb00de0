/** The lines of a symbol that are worth showing for a question. */

import * as Question from "../search/Question.ts"
import { GUESS_WEIGHT } from "../search/Ranking.ts"
import * as Tokenizer from "../search/Tokenizer.ts"

export interface Excerpt {
  /** 1-based. */
  readonly firstLine: number
  /** Whole lines, without their line ends. */
  readonly lines: ReadonlyArray<string>
}

/** The fewest lines of an excerpt by default, even if none or few of them match. */
const LEAST = 3

/** A symbol in its file. */
export interface Place {
  /** 1-based, inclusive. */
  readonly startLine: number
  readonly endLine: number
  readonly kind: string
  /** The text of its comment if that is shown beside the excerpt, which then leaves out its lines. */
  readonly doc?: string | undefined
}

/** Takes the most lines that an excerpt may have, and the fewest: those are shown even if few match. */
export type Excerpts = (most: number, least?: number) => Excerpt

/**
 * Finds excerpts of a symbol. O(lines × words) for each. `also`: identifiers that the code may use, which count half.
 */
export const of = (text: string, place: Place, question: string, also: ReadonlyArray<string> = []): Excerpts => {
  const body = bodyOf(text, place)
  const { matches, weights } = matchLines(body, question, also)
  const [begin, end] = withoutDoc(body, place.doc)
  const piece: Range = [Math.min(Math.max(begin, longDeclaration(body, place.kind)), end), end]
  return (most, least = LEAST) => {
    const scored = windowsOf(piece, most).map((window) => ({
      window,
      score: scoreOf(matches.slice(...window), weights),
    }))
    // The first of several with the same score.
    const { window } = scored.reduce((best, other) => (other.score > best.score ? other : best), {
      window: [piece[0], Math.min(piece[1], piece[0] + most)],
      score: 0,
    })
    const isMatch = (line: number) => (matches[line]?.length ?? 0) > 0
    const [from, to] = withoutBlanks(narrow({ window, piece, most, least }, isMatch), body)
    return { firstLine: place.startLine + from, lines: body.slice(from, to) }
  }
}

/** The lines of a symbol, without their line ends. */
export const bodyOf = (text: string, { endLine, startLine }: Place): ReadonlyArray<string> =>
  // Splitting the whole file by a regular expression would dominate the time.
  text
    .split("\n")
    .slice(startLine - 1, endLine)
    .map((line) => line.replace(/\r$/, ""))

export interface Matches {
  /** The words of the question that each line has, as stems. */
  readonly matches: ReadonlyArray<ReadonlyArray<string>>
  /** How much each stem counts in these lines. */
  readonly weights: ReadonlyMap<string, number>
}

/** Finds the words of a question in lines. O(lines × words). `also` as for `of`. */
export const matchLines = (
  body: ReadonlyArray<string>,
  question: string,
  also: ReadonlyArray<string> = [],
): Matches => {
  const guessed = Array.from(stemsOf(also.join(" ")), ([stem, weight]) => [stem, GUESS_WEIGHT * weight] as const)
  const stems = new Map([...guessed, ...stemsOf(question)])
  const matches = body.map((line) => {
    const lowerCase = line.toLowerCase()
    return Array.from(stems.keys()).filter((stem) => lowerCase.includes(stem))
  })
  return { matches, weights: new Map(Array.from(stems, ([stem, weight]) => [stem, weight * rarity(matches, stem)])) }
}

/** Indexes of lines: the first one, and the one after the last. */
export type Range = readonly [from: number, to: number]

/**
 * The stems of the words of a question and the words themselves, each with how much it counts in a line. The words are
 * included since a short stem such as `auth` for `authorization` is part of many other words. Both have at least three
 * letters.
 */
const stemsOf = (question: string): ReadonlyMap<string, number> => {
  const stems = new Map(Question.parse(question).terms.map(({ term, weight }) => [term, weight]))
  const words = Tokenizer.parts(Question.beginningOf(question)).flatMap(
    (word): ReadonlyArray<readonly [string, number]> => {
      // A question of nothing but stop words is looked for as it is.
      const weight = stems.size === 0 ? 1 : stems.get(Tokenizer.stem(word))
      return weight === undefined ? [] : [[word, weight]]
    },
  )
  return new Map([...stems, ...words].filter(([word]) => word.length >= 3))
}

/** A word that few lines of the symbol have says more about them than one on every line. */
const rarity = (matches: ReadonlyArray<ReadonlyArray<string>>, stem: string): number =>
  Math.log1p(matches.length / (1 + matches.filter((stems) => stems.includes(stem)).length))

/** Different words count more than repetitions of one. */
const scoreOf = (matches: ReadonlyArray<ReadonlyArray<string>>, weights: ReadonlyMap<string, number>): number => {
  const sum = (stems: Iterable<string>) =>
    Array.from(stems, (stem) => weights.get(stem) ?? 0).reduce((a, b) => a + b, 0)
  const all = matches.flat()
  return sum(new Set(all)) + 0.1 * sum(all)
}

const windowsOf = ([from, to]: Range, most: number): ReadonlyArray<Range> =>
  Array.from(
    { length: Math.max(1, to - from - most + 1) },
    (_, n) => [from + n, Math.min(to, from + n + most)] as const,
  )

/**
 * Narrows a window to the lines from one before the first match to one after the last, but not below `least` lines. A
 * short piece stays whole.
 */
const narrow = (
  {
    least,
    most,
    piece,
    window,
  }: {
    readonly piece: Range
    readonly window: Range
    readonly most: number
    readonly least: number
  },
  isMatch: (line: number) => boolean,
): Range => {
  const [begin, end] = piece
  if (end - begin <= most) return piece
  const [from, to] = window
  const lines = Array.from({ length: to - from }, (_, n) => from + n).filter(isMatch)
  const first = lines[0] ?? from
  const last = lines.at(-1) ?? from
  const isWide = last - first + 1 >= most
  const fewest = Math.min(least, most)
  const start = Math.max(begin, Math.min(first - (isWide ? 0 : 1), end - fewest))
  return [start, Math.min(end, start + most, Math.max(last + 2, start + fewest))]
}

/**
 * Returns the number of lines of a function's declaration if it has a line for each parameter, else 0. The signature is
 * shown beside the excerpt, so these lines are not needed in it.
 */
export const longDeclaration = (body: ReadonlyArray<string>, kind: string): number => {
  if (kind !== "function" && kind !== "method") return 0
  const last = body.slice(0, 40).findIndex((line) => /(?:[:{;]|=>)\s*$/.test(line))
  return last < 3 ? 0 : last + 1
}

/** Leaves out blank lines at either end. */
export const withoutBlanks = ([from, to]: Range, body: ReadonlyArray<string>): Range => {
  const isText = (line: number) => body[line]?.trim() !== ""
  const lines = Array.from({ length: to - from }, (_, n) => from + n).filter(isText)
  return [lines[0] ?? from, (lines.at(-1) ?? to - 1) + 1]
}

/**
 * The 1-based lines of a symbol without those of its comment, as far as that stands within the symbol: see `Place.doc`.
 */
export const linesBesideDoc = (
  text: string,
  { doc, endLine, startLine }: Place,
): readonly [from: number, to: number] => {
  const [from, to] = withoutDoc(text.split("\n").slice(startLine - 1, endLine), doc)
  return [startLine + from, startLine + to - 1]
}

/**
 * Leaves out a comment within the symbol: returns the lines below it, as in Python, or those before it if none are
 * below. Returns all lines if there is no comment.
 */
export const withoutDoc = (body: ReadonlyArray<string>, doc = ""): Range => {
  const lines = doc.split("\n")
  const [first = ""] = lines
  const start = first === "" ? -1 : body.findIndex((line) => line.replace(commentMarker, "").startsWith(first))
  if (start === -1) return [0, body.length]
  const end = start + lines.length + (isQuote(body[start + lines.length]) ? 1 : 0)
  // The declaration is shown beside the lines.
  return end < body.length ? [end, body.length] : [0, isQuote(body[start - 1]) ? start - 1 : start]
}

const commentMarker = /^\s*(?:\w{0,2}(?:"""|'''|"|')|\/\*\*?|\*|\/\/+|#+)?\s*/

/** A line that only begins or ends a comment. */
const isQuote = (line = ""): boolean => /^\s*(?:\w{0,2}(?:"""|''')|\/\*\*?|\*\/)\s*$/.test(line)
