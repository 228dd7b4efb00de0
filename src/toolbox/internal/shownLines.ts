/** Shows lines of a file to a model. */
import * as ToolResult from "../../tool/ToolResult.ts"

interface Shown {
  /** The first and the last line, counted from 1, inclusive. */
  readonly start: number
  readonly end: number
  /**
   * True if each line begins with its number and a tab. That takes a sixth more tokens; models that cite lines need it.
   */
  readonly isNumbered: boolean
  /** The most bytes; `MAX_BYTES` by default. */
  readonly limit?: number | undefined
}

/** The rest of the limit of a result is for the line with the place to continue from. */
export const MAX_BYTES = ToolResult.limit - 200

/** The most characters that are shown of a line; longer lines are generated. */
const MAX_LINE_CHARS = 2000

/** Returns the lines that fit within the limit. If not all fit, the last one says which line to continue from. */
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
