/** Lines of a file for a model. */
import * as ToolResult from "../../tool/ToolResult.ts"

export interface Shown {
  /** The first and the last line, counted from 1, inclusive. */
  readonly start: number
  readonly end: number
  /** Whether each line begins with its number and a tab. That is a sixth more tokens, for models that cite lines. */
  readonly isNumbered: boolean
  /** In bytes; `MAX_BYTES` by default. */
  readonly limit?: number | undefined
}

/** The rest of the limit of a result is for the line with the place to continue from. */
export const MAX_BYTES = ToolResult.limit - 200

/** The result has only the beginning of longer lines, which are generated. */
const MAX_LINE_CHARS = 2000

/** Ends at a line where the limit is reached, with the line to continue from. */
export const shownLines = (
  lines: ReadonlyArray<string>,
  { end, isNumbered, limit = MAX_BYTES, start }: Shown,
): ReadonlyArray<string> => {
  const last = Math.min(end, lines.length)
  const shown: Array<string> = []
  let size = 0
  for (let number = start; number <= last; number++) {
    const text = shorten(lines[number - 1] ?? "")
    const line = isNumbered ? `${number}\t${text}` : text
    size += Buffer.byteLength(line) + 1
    if (size > limit) return [...shown, `(lines ${number} to ${last} not shown: go on with startLine ${number})`]
    shown.push(line)
  }
  return shown
}

const shorten = (line: string): string =>
  line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS)} … (${line.length} characters)`
