/** Fits sanitised text into the columns of a terminal. Pure. */
import {
  getGraphemeSegmenter,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui/dist/utils.js"

/** Truncates a line. */
export const cut = (line: string, columns: number): string => truncateToWidth(line, columns, "…")

/** Breaks lines between words. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => wrapTextWithAnsi(line, Math.max(1, columns)))

/**
 * Breaks lines between words. If a line has two columns, with at least two spaces between them, its further rows are
 * indented like the second column, or less if that would take more than half of the terminal.
 */
export const wrapColumns = (text: string, columns: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => {
    const first = /^\S.*?\S {2,}(?=\S)/.exec(line)?.[0]
    if (first === undefined) return wrap(line, columns)
    const width = visibleWidth(first)
    if (width <= columns / 2) {
      const [head = "", ...others] = wrap(line.slice(first.length), columns - width)
      return [`${first}${head}`, ...others.map((row) => `${" ".repeat(width)}${row}`)]
    }
    const rows = wrap(line.slice(first.length), columns - NARROW_INDENT)
    return [...wrap(first.trimEnd(), columns), ...rows.map((row) => `${" ".repeat(NARROW_INDENT)}${row}`)]
  })

/** The indent in columns that is used if the second column begins too far to the right. */
const NARROW_INDENT = 2

/** Breaks lines at any character and keeps all white space, as code needs it. */
export const fold = (text: string, columns: number): ReadonlyArray<string> =>
  text
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => foldLine(line, Math.max(2, columns)))

const foldLine = (line: string, columns: number): ReadonlyArray<string> => {
  if (visibleWidth(line) <= columns) return [line]
  const lines: Array<string> = []
  let text = ""
  let width = 0
  for (const { segment } of getGraphemeSegmenter().segment(line)) {
    const more = visibleWidth(segment)
    if (width + more > columns) {
      lines.push(text)
      text = ""
      width = 0
    }
    text += segment
    width += more
  }
  return [...lines, text]
}

/** The first lines of a text, and the number of the others. */
export const head = (text: string, limit: number): { readonly lines: ReadonlyArray<string>; readonly more: number } => {
  const lines = text.replace(/(?<!\n)\n+$/, "").split("\n")
  return { lines: lines.slice(0, limit), more: Math.max(0, lines.length - limit) }
}
