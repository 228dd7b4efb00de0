/** What the message of a batch (`Instruction.batch`) shows of one symbol. Pure. */
import { mark } from "./Batch.ts"

export interface SentSymbol {
  /** Its file, as the message has it: a long path is cut. */
  readonly path: string
  /** From its mark to the next mark, or to the next file. */
  readonly lines: ReadonlyArray<string>
  /** Why it was sent again: its purpose so far, and why that was weak. */
  readonly before: string | undefined
  /** Of the batch; undefined where the message does not say it. */
  readonly batch: { readonly area: string; readonly symbols: number } | undefined
}

/** The symbol of a number; undefined for a message without its source. O(length of the text). */
export const find = (text: string, number: number): SentSymbol | undefined => {
  const lines = text.split("\n")
  const isMark = (line: string) => line === mark(number) || line.startsWith(`${mark(number)} `)
  const header = lines.findIndex((line) => line.startsWith(HEADER))
  if (header < 0) return undefined
  const start = lines.findIndex((line, at) => at > header && isMark(line))
  if (start < 0) return undefined
  const end = lines.findIndex((line, at) => at > start && isEnd(line))
  // Source has no blank lines: what follows one is not of the batch's source.
  const source = lines.findIndex((line, at) => at > header && line === "")
  if (source >= 0 && source < start) return undefined
  const path = lines
    .slice(header, start)
    .findLast((line) => line.startsWith(HEADER))
    ?.slice(HEADER.length)
  const [, area, symbols] =
    lines.map((line) => /^From (.+), ([\d,]+) symbols? to explain/.exec(line)).find(Boolean) ?? []
  return {
    path: path ?? "",
    lines: lines.slice(start, end < 0 ? undefined : end),
    before: source < 0 ? undefined : lines.find((line, at) => at > source && isRowOf(line, number)),
    batch: area === undefined ? undefined : { area, symbols: Number(symbols?.replaceAll(",", "")) },
  }
}

const HEADER = "== "

/** A line about the symbols of a number, or of several: `§3–§5 …`. */
const isRowOf = (line: string, number: number): boolean => {
  const [, first, last = first] = /^§(\d+)(?:–§(\d+))? /.exec(line) ?? []
  return first !== undefined && Number(first) <= number && number <= Number(last)
}

/** The next mark, file, or blank line. */
const isEnd = (line: string): boolean => line === "" || line.startsWith(HEADER) || /^§\d+(?: |$)/.test(line)
