/** A part of an exploration: symbols of one area that have no purpose, with their source, for a model to explain in one answer. */
import type { IndexEntry } from "./IndexEntry.ts"

export interface Batch {
  /** What its files have in common: a folder, or a file. */
  readonly area: string
  /** The source of the symbols without line numbers, a mark before each (`mark`). */
  readonly text: string
  /** The symbols to explain, in the order of their numbers: the first is number 1. */
  readonly symbols: ReadonlyArray<IndexEntry>
  /** Of `text`, as `message/Tokens` estimates them. */
  readonly tokens: number
  /** Where it was sent elsewhere; otherwise its message is written when it is sent. */
  readonly sent?: Sent | undefined
}

export interface Sent {
  /** The whole message to the model. */
  readonly message: string
  /** Its symbols were asked for once more. */
  readonly isFollowUp: boolean
  /** Its answer was there before the run began, and says nothing of how the model answers now. */
  readonly isEarlier: boolean
}

/** What models write for a symbol, a sentence and a question with its number: as `message/Tokens` estimates it. */
export const PURPOSE_TOKENS = 39

/** What is around the purposes of an answer. */
const AROUND = 30

/** The tokens of the answer to a batch with so many symbols, in the mean. */
export const answerTokens = (symbols: number): number => AROUND + symbols * PURPOSE_TOKENS

/**
 * What its symbols are of, for people: the file, up to three folders, or two of more with a count; those with most symbols
 * first.
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

const WHOLE = "the whole project"

/** Its area, for a model. */
export const areaOf = ({ area }: Batch): string => (area === "." ? WHOLE : area)

/** `§1`, `§1–§265`: the marks of all its symbols. */
export const marksOf = ({ symbols }: Batch): string =>
  symbols.length <= 1 ? mark(1) : `${mark(1)}–${mark(symbols.length)}`

/** The mark before the symbol of a number, from 1. */
export const mark = (number: number): string => `§${number}`

/** The symbol of a number as a model writes it: `12` or `§12`. */
export const symbolOf = ({ symbols }: Batch, number: string): IndexEntry | undefined => {
  const digits = /^§?\s*([1-9]\d*)$/.exec(number.trim())?.[1]
  return digits === undefined ? undefined : symbols[Number(digits) - 1]
}
