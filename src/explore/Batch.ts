/**
 * A part of an exploration: symbols of one area without a purpose, and their source, for a model to explain in one
 * answer.
 */
import type { IndexEntry } from "../index/IndexEntry.ts"

export interface Batch {
  /** The folder or file that its symbols have in common. */
  readonly area: string
  /** The source of the symbols without line numbers, with a mark before each (`mark`). */
  readonly text: string
  /** The symbols to explain, in the order of their numbers: the first is number 1. */
  readonly symbols: ReadonlyArray<IndexEntry>
  /** The tokens of `text`, as `message/Tokens` estimates them. */
  readonly tokens: number
  /** Set if the batch was sent elsewhere; otherwise its message is written when it is sent. */
  readonly sent?: Sent | undefined
}

export interface Sent {
  /** The whole message to the model. */
  readonly message: string
  /** True if its symbols were asked for once more. */
  readonly isFollowUp: boolean
  /** True if its answer was there before the run began, so that it says nothing about how the model answers now. */
  readonly isEarlier: boolean
}

/** Tokens that a model writes for one symbol: a sentence, a question and a number. Estimated as in `message/Tokens`. */
export const PURPOSE_TOKENS = 39

/** Tokens of an answer apart from its purposes. */
const AROUND = 30

/** The mean number of tokens in the answer to a batch with so many symbols. */
export const answerTokens = (symbols: number): number => AROUND + symbols * PURPOSE_TOKENS

/**
 * Describes a batch to the user: its file, up to three folders, or two folders and a count of the others. Folders with
 * the most symbols come first.
 */
export const describe = ({ area, symbols }: Batch): string => {
  if (new Set(symbols.map(({ path }) => path)).size <= 1) return area === "." ? WHOLE : area
  const groups = Map.groupBy(symbols, ({ path }) => path.split("/").slice(0, -1).join("/"))
  const folders = Array.from(groups)
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([folder]) => (folder === "" ? "the top folder" : folder))
  const shown = folders.length <= MAX_FOLDERS ? folders : folders.slice(0, MAX_FOLDERS - 1)
  const others = folders.length - shown.length
  return `${shown.join(", ")}${others === 0 ? "" : ` and ${others} more folders`}`
}

const MAX_FOLDERS = 3

/**
 * Divides symbols into two halves, of which the first has those that most files use. Overloads are in one half, unless
 * there is nothing else. Each half has a symbol if there are two or more.
 */
export const halve = (
  symbols: ReadonlyArray<IndexEntry>,
): readonly [mostUsed: ReadonlyArray<IndexEntry>, others: ReadonlyArray<IndexEntry>] => {
  const usesOf = (group: ReadonlyArray<IndexEntry>) => Math.max(...group.map(({ usedBy }) => usedBy))
  const overloads = Array.from(
    Map.groupBy(symbols, ({ path, qualifiedName }) => `${path}\0${qualifiedName}`).values(),
  ).sort((one, other) => usesOf(other) - usesOf(one))
  const groups = overloads.length === 1 ? symbols.map((symbol) => [symbol]) : overloads
  const half = Math.ceil(symbols.length / 2)
  let taken = 0
  const middle = groups.findIndex((group) => {
    const isFull = taken > 0 && taken + group.length > half
    taken += group.length
    return isFull
  })
  return middle < 0 ? [symbols, []] : [groups.slice(0, middle).flat(), groups.slice(middle).flat()]
}

const WHOLE = "the whole project"

/** Names the area of a batch for a model. */
export const areaOf = ({ area }: Batch): string => (area === "." ? WHOLE : area)

/** The marks of all its symbols: `§1`, `§1–§265`. */
export const marksOf = ({ symbols }: Batch): string =>
  symbols.length <= 1 ? mark(1) : `${mark(1)}–${mark(symbols.length)}`

/** Returns the mark before the symbol with this number, from 1. */
export const mark = (number: number): string => `§${number}`

/** Finds a symbol by its number as a model writes it: `12` or `§12`. */
export const symbolOf = ({ symbols }: Batch, number: string): IndexEntry | undefined => {
  const digits = /^§?\s*([1-9]\d*)$/.exec(number.trim())?.[1]
  return digits === undefined ? undefined : symbols[Number(digits) - 1]
}
