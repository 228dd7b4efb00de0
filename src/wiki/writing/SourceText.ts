/** The source of a symbol as a request shows it: with line numbers, within a limit, as a quotation. Pure. */

import { sanitize } from "../../base/Sanitize.ts"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import { quote } from "../../index/ProjectMap.ts"
import * as Excerpt from "../../lookup/Excerpt.ts"
import { sizeOf } from "./Material.ts"
import * as Passage from "./Passage.ts"

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

/** Tokens of a usual line of code with its number. */
const LINE = 14

/** The first lines of a source, which say what it is. */
const HEAD = 3

/** The share of the lines that a statement speaks of; the others are those around them. */
const SHARE = 0.75

/**
 * Writes a source as what is said of it needs: as a whole if it fits, and else its first lines and, for each statement,
 * those with most of its words, with the lines that open the blocks around them, since these have the conditions. A
 * document, which has no entry, is shown by the passages that have these words.
 */
export const writeFor = (
  source: string,
  entry: Pick<IndexEntry, "kind" | "startLine"> | undefined,
  statements: ReadonlyArray<string>,
  maxTokens: number,
): ReadonlyArray<string> => {
  const startLine = entry?.startLine ?? 1
  const lines = source.split("\n").map((text, at) => ({ label: `${startLine + at}`, text }))
  return excerptOf(lines, entry?.kind, statements, maxTokens, HEAD)
}

/** A line with what stands before it, such as its number. */
export interface Line {
  readonly label: string
  readonly text: string
}

/**
 * Does the same as `writeFor` for lines that have labels, with the first `head` lines of code in any case. `kind`: that
 * of the symbol; undefined for a document.
 */
export const excerptOf = (
  lines: ReadonlyArray<Line>,
  kind: string | undefined,
  statements: ReadonlyArray<string>,
  maxTokens: number,
  head = 0,
): ReadonlyArray<string> => {
  const print = ({ label, text }: Line): string =>
    `${label} ${text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text}`
  const texts = lines.map(({ text }) => text)
  const isWritten = (text: string): boolean => text.trim() !== ""
  const whole = lines.filter(({ text }) => isWritten(text)).map(print)
  if (whole.reduce((sum, line) => sum + sizeOf(line), 0) <= maxTokens) return quote(sanitize(whole.join("\n")))
  const most = Math.max(1, Math.floor(((SHARE * maxTokens) / LINE - head) / Math.max(1, statements.length)))
  const place = { startLine: 1, endLine: lines.length, kind: kind ?? "module" }
  const shown =
    kind === undefined
      ? new Set(Passage.find(texts, statements, maxTokens))
      : new Set(lines.slice(0, head).map((_, at) => at))
  for (const statement of kind === undefined ? [] : statements) {
    const excerpt = Excerpt.of(texts.join("\n"), place, statement)(most, most)
    for (const at of excerpt.lines.keys()) shown.add(excerpt.firstLine - 1 + at)
    for (const at of enclosing(texts, excerpt.firstLine - 1)) shown.add(at)
  }
  // The note about a cut is as long as a line.
  for (const at of lines.keys()) if (shown.has(at - 1) && shown.has(at + 1)) shown.add(at)
  const printed: Array<string> = []
  let tokens = 0
  let cut = 0
  for (const [at, line] of lines.entries()) {
    const text = print(line)
    const isShown = shown.has(at) && isWritten(line.text) && tokens + sizeOf(text) <= maxTokens
    if (!isShown) {
      if (isWritten(line.text)) cut += 1
      continue
    }
    if (cut > 0) printed.push(`… ${cut} lines are cut here`)
    cut = 0
    tokens += sizeOf(text)
    printed.push(text)
  }
  if (cut > 0) printed.push(`… ${cut} lines are cut here`)
  return quote(sanitize(printed.join("\n")))
}

/** Returns whether the written lines of a source, which begin with their numbers, are not all that it has. */
export const isCut = (lines: ReadonlyArray<string>): boolean =>
  lines
    .join("\n")
    .split("\n")
    .some((line) => line.startsWith("…") || line.endsWith("…"))

/** Finds the lines that open the blocks around a line, by their indentation, from the inside to the outside. */
const enclosing = (lines: ReadonlyArray<string>, line: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let indent = indentOf(lines[line] ?? "")
  for (let at = line - 1; at >= 0 && indent > 0; at--) {
    const text = lines[at] ?? ""
    if (text.trim() === "" || indentOf(text) >= indent) continue
    indent = indentOf(text)
    found.push(at)
  }
  return found
}

const indentOf = (text: string): number => text.length - text.trimStart().length
