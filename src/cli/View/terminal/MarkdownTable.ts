/** Tables of an answer: columns are aligned as the table says, and only the header has a rule below it. Pure. */
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js"
import * as TextLayout from "./TextLayout.ts"
import type { Theme } from "./Theme.ts"

type Alignment = "left" | "center" | "right"

interface Table {
  readonly header: ReadonlyArray<string>
  readonly alignments: ReadonlyArray<Alignment>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

interface Found {
  /** The lines above the table. */
  readonly before: string
  readonly table: Table
}

/** Finds the table that a block of prose is, or ends in; undefined for other prose. */
export const find = (text: string): Found | undefined => {
  const lines = text.split("\n")
  const at = lines.findIndex(
    (line, index) =>
      isDelimiter(lines[index + 1]) &&
      line.includes("|") &&
      cellsOf(line).length === cellsOf(lines[index + 1] ?? "").length,
  )
  const rows = lines.slice(at + 2)
  if (at === -1 || rows.some((line) => line.trim() === "")) return undefined
  const header = cellsOf(lines[at] ?? "")
  return {
    before: lines.slice(0, at).join("\n"),
    table: {
      header,
      alignments: cellsOf(lines[at + 1] ?? "").map(alignmentOf),
      // Like GitHub: cells that are missing are empty, further ones are left out.
      rows: rows.map((line) => {
        const cells = cellsOf(line)
        return header.map((_, column) => cells[column] ?? "")
      }),
    },
  }
}

const isDelimiter = (line = ""): boolean =>
  line.includes("|") && /^\s*\|?(?:\s*:?-+:?\s*\|)*\s*(?::?-+:?\s*)?\|?\s*$/.test(line) && line.includes("-")

const alignmentOf = (cell: string): Alignment => {
  const isRight = cell.endsWith(":")
  return isRight && cell.startsWith(":") ? "center" : isRight ? "right" : "left"
}

/** Splits a line without its outer bars; a bar after a backslash is a character. */
const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim())

const SEPARATOR = " │ "

/** A column is not made narrower than this: a table that needs it is shown row by row, as `header: cell`. */
const MIN_WIDTH = 8

/** `inline` renders the Markdown of a cell, on one line. */
export const render = (
  { alignments, header, rows }: Table,
  columns: number,
  theme: Theme,
  inline: (text: string) => string,
): ReadonlyArray<string> => {
  const head = header.map((cell) => theme.strong(inline(cell)))
  const cells = rows.map((row) => row.map(inline))
  const natural = head.map((cell, column) =>
    Math.min(columns, Math.max(1, ...[cell, ...cells.map((row) => row[column] ?? "")].map(visibleWidth))),
  )
  const widths = narrow(natural, columns - SEPARATOR.length * (natural.length - 1))
  if (widths === undefined) return records(head, cells, columns, theme)
  const drawRow = (row: ReadonlyArray<string>): ReadonlyArray<string> => {
    const wrapped = row.map((cell, column) => TextLayout.wrap(cell, widths[column] ?? 1))
    const height = Math.max(...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      wrapped
        .map((cell, column) => align(cell[line] ?? "", widths[column] ?? 1, alignments[column] ?? "left"))
        .join(theme.quiet(SEPARATOR))
        .trimEnd(),
    )
  }
  const rule = theme.quiet(widths.map((width) => "─".repeat(width)).join("─┼─"))
  return [...drawRow(head), rule, ...cells.flatMap(drawRow)]
}

/**
 * Returns the widths of the columns; the widest give way first. Undefined if that would leave less than `MIN_WIDTH`.
 */
const narrow = (natural: ReadonlyArray<number>, room: number): ReadonlyArray<number> | undefined => {
  const widths = [...natural]
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths))
    const width = widths[widest] ?? 0
    if (width <= MIN_WIDTH) return undefined
    widths[widest] = width - 1
  }
  return widths
}

const align = (text: string, width: number, alignment: Alignment): string => {
  const room = Math.max(0, width - visibleWidth(text))
  const left = alignment === "right" ? room : alignment === "center" ? Math.floor(room / 2) : 0
  return `${" ".repeat(left)}${text}${" ".repeat(room - left)}`
}

/** Each row as lines `header: cell`, with a rule between rows. */
const records = (
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  columns: number,
  theme: Theme,
): ReadonlyArray<string> =>
  rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [theme.quiet("─".repeat(Math.min(columns, MIN_WIDTH)))]),
    ...row.flatMap((cell, column) => TextLayout.wrap(`${header[column] ?? ""}: ${cell}`, columns)),
  ])
