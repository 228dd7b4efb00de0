/** The source of a symbol as a request shows it: with line numbers, within a limit, as a quotation. Pure. */
import { quote } from "../../indexing/ProjectMap.ts"
import { sanitize } from "../../message/Sanitize.ts"
import { sizeOf } from "./Material.ts"

export interface Limits {
  /** The most lines. Of a longer source the beginning is shown, and the last lines. */
  readonly maxLines: number
  readonly maxTokens: number
}

/** The last lines of a source that is cut. */
const TAIL = 6

/** The most characters of a line. */
const MAX_LINE = 160

/**
 * Writes the lines of a source with their numbers in the file. A source that is too long loses the lines before its
 * last ones, and says how many.
 */
export const write = (source: string, startLine: number, { maxLines, maxTokens }: Limits): ReadonlyArray<string> => {
  const lines = sanitize(source)
    .split("\n")
    .map((line, at) => ({
      number: startLine + at,
      text: line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line,
    }))
    .filter(({ text }) => text.trim() !== "")
  const printed = lines.map(({ number, text }) => `${number} ${text}`)
  const sizes = printed.map(sizeOf)
  const all = sizes.reduce((sum, size) => sum + size, 0)
  if (printed.length <= maxLines && all <= maxTokens) return quote(printed.join("\n"))
  const last = Math.min(TAIL, Math.floor(maxLines / 4))
  const lastTokens = sizes.slice(printed.length - last).reduce((sum, size) => sum + size, 0)
  // Long last lines would leave no room for the first ones, which say what it is.
  const [tail, tailTokens] = lastTokens > maxTokens / 3 ? [0, 0] : [last, lastTokens]
  let tokens = tailTokens
  let head = 0
  while (head < Math.min(maxLines, printed.length) - tail && tokens + (sizes[head] ?? 0) <= maxTokens) {
    tokens += sizes[head] ?? 0
    head += 1
  }
  const end = printed.length - tail
  return quote([...printed.slice(0, head), `… ${end - head} lines are cut here`, ...printed.slice(end)].join("\n"))
}
