/** The part of a batch message (`Instruction.batch`) that shows one symbol. Pure. */
import { mark } from "./Batch.ts"

export interface SentSymbol {
  /** The path of its file as the message has it: a long path is cut. */
  readonly path: string
  /** The lines from its mark to the next mark or file. */
  readonly lines: ReadonlyArray<string>
  /** Its earlier purpose and the reason why that was weak, if it was sent again. */
  readonly before: string | undefined
  /** The batch; undefined if the message does not name it. */
  readonly batch: { readonly area: string; readonly symbols: number } | undefined
}

/** Finds the symbol of a number; undefined if the message does not have its source. O(length of the text). */
export const find = (text: string, number: number): SentSymbol | undefined => {
  const lines = text.split("\n")
  const isMark = (line: string) => line === mark(number) || line.startsWith(`${mark(number)} `)
  const header = lines.findIndex((line) => line.startsWith(HEADER))
  if (header < 0) return undefined
  const start = lines.findIndex((line, at) => at > header && isMark(line))
  if (start < 0) return undefined
  const end = lines.findIndex((line, at) => at > start && isEnd(line))
  // Source has no blank lines, so the source of the batch ends at the first one.
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

/** Returns whether a line is about the symbol of a number, or about several: `§3–§5 …`. */
const isRowOf = (line: string, number: number): boolean => {
  const [, first, last = first] = /^§(\d+)(?:–§(\d+))? /.exec(line) ?? []
  return first !== undefined && Number(first) <= number && number <= Number(last)
}

/** Returns whether a line is the next mark, file, or blank line. */
const isEnd = (line: string): boolean => line === "" || line.startsWith(HEADER) || /^§\d+(?: |$)/.test(line)
