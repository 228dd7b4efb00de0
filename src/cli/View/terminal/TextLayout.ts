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
