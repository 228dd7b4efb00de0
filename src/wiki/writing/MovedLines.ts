/**
 * Finds the symbols of a file that have got lines of another symbol, such as a renamed function or a new helper. Pure.
 */
import * as Excerpt from "../../lookup/Excerpt.ts"

/** A symbol that may have got lines. */
export interface Candidate<A> {
  readonly value: A
  readonly startLine: number
  readonly endLine: number
  readonly source: string
}

/** So many lines must have moved from a symbol that is still there; fewer are alike by chance. */
const MIN_LINES = 3

/** The share of its lines that must have moved from a symbol that is gone. */
const GONE_SHARE = 0.5

/** The most symbols that are found. */
const MAX = 2

/** Lines such as `return` and `}` are in most symbols. */
const MIN_LENGTH = 12

/**
 * Finds the symbols with most of the lines that a source has lost; a second one must have others than the first. `now`
 * is undefined if the symbol is gone. A candidate may be in another one; the smaller of two with as many lines is
 * found.
 */
export const find = <A>(
  before: string,
  now: string | undefined,
  candidates: ReadonlyArray<Candidate<A>>,
): ReadonlyArray<A> => {
  const kept = linesOf(now ?? "")
  const lost = linesOf(before)
  for (const line of kept) lost.delete(line)
  const least = now === undefined ? Math.max(1, Math.ceil(lost.size * GONE_SHARE)) : MIN_LINES
  const open = candidates.map((candidate) => ({ candidate, lines: linesOf(candidate.source) }))
  const chosen: Array<Candidate<A>> = []
  while (chosen.length < MAX) {
    const [best] = open
      .filter(({ candidate }) => !chosen.some((other) => overlap(other, candidate)))
      .map(({ candidate, lines }) => ({
        candidate,
        lines,
        count: Array.from(lost).filter((line) => lines.has(line)).length,
      }))
      .filter(({ count }) => count >= least)
      .toSorted((one, other) => other.count - one.count || sizeOf(one.candidate) - sizeOf(other.candidate))
    if (best === undefined) break
    chosen.push(best.candidate)
    for (const line of best.lines) lost.delete(line)
  }
  return chosen.map(({ value }) => value)
}

/** Lines of a source that are read together. */
const WINDOW = 10

/**
 * Returns whether a statement speaks of a source at least as much as of the one that it cites: the whole of it, or the
 * place that has most of its words.
 */
export const isAbout = (statement: string, cited: string, other: string): boolean => {
  const [citedLines, otherLines] = [cited.split("\n"), other.split("\n")]
  const { matches, weights } = Excerpt.matchLines([...citedLines, ...otherLines], statement)
  const weigh = (lines: ReadonlyArray<ReadonlyArray<string>>): number =>
    Array.from(new Set(lines.flat())).reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0)
  const best = (lines: ReadonlyArray<ReadonlyArray<string>>): number =>
    lines.reduce((most, _, at) => Math.max(most, weigh(lines.slice(at, at + WINDOW))), 0)
  const [here, there] = [matches.slice(0, citedLines.length), matches.slice(citedLines.length)]
  return weigh(there) >= weigh(here) || best(there) >= best(here)
}

const linesOf = (text: string): Set<string> =>
  new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= MIN_LENGTH && /\p{L}/u.test(line)),
  )

const sizeOf = ({ endLine, startLine }: Candidate<unknown>): number => endLine - startLine

export const overlap = (
  one: Pick<Candidate<unknown>, "startLine" | "endLine">,
  other: Pick<Candidate<unknown>, "startLine" | "endLine">,
): boolean => one.startLine <= other.endLine && other.startLine <= one.endLine
