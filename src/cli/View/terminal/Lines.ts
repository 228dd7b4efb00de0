/** Text as the lines of a terminal. Pure; the text is printable already. */
import {
  getGraphemeSegmenter,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui/dist/utils.js"

/** One line, cut to so many columns. */
export const cut = (line: string, columns: number): string => truncateToWidth(line, columns, "…")

/** Broken between words. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => wrapTextWithAnsi(line, Math.max(1, columns)))

/** Broken wherever a line is full: every space counts, as in code. */
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

/** The first lines of a text, and how many more it has. */
export const head = (text: string, most: number): { readonly lines: ReadonlyArray<string>; readonly more: number } => {
  const lines = text.replace(/(?<!\n)\n+$/, "").split("\n")
  return { lines: lines.slice(0, most), more: Math.max(0, lines.length - most) }
}
