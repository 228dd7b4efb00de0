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
}

/** The mark before the symbol of a number, from 1. */
export const mark = (number: number): string => `§${number}`

/** The symbol of a number as a model writes it: `12` or `§12`. */
export const symbolOf = ({ symbols }: Batch, number: string): IndexEntry | undefined => {
  const digits = /^§?\s*([1-9]\d*)$/.exec(number.trim())?.[1]
  return digits === undefined ? undefined : symbols[Number(digits) - 1]
}
