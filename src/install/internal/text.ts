/**
 * Helpers for lines, line ends and edits of a text, and for blocks of lines at its end, which are taken back exactly.
 */

/** Returns the first line end of a text; a line feed if there is none. */
export const lineEndOf = (text: string): string => /\r?\n/.exec(text)?.[0] ?? "\n"

/** Removes a byte order mark; `restore` puts it back. */
export const withoutMark = (text: string): { readonly body: string; readonly restore: (body: string) => string } =>
  text.startsWith(MARK)
    ? { body: text.slice(1), restore: (body) => MARK + body }
    : { body: text, restore: (body) => body }

const MARK = "\ufeff"

/** Returns the line and column of an offset, both from 1. */
export const placeOf = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset)
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") }
}

/** Replaces the characters from `start` to `end`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies edits, which must not overlap. Edits at one place keep their order. */
export const applyEdits = (text: string, edits: ReadonlyArray<Edit>): string =>
  edits
    .toReversed()
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { end, start, text: replacement }) => text.slice(0, start) + replacement + text.slice(end), text)

/** Appends a block. `lines` have no line ends. */
export const append = (text: string, lines: ReadonlyArray<string>): string => {
  const end = lineEndOf(text)
  const block = lines.join(end)
  return text === "" || text.endsWith("\n") ? `${text}${end}${block}${end}` : `${text}${end}${end}${block}`
}

/** Returns the text of a new file. */
export const create = (lines: ReadonlyArray<string>): string => `${lines.join("\n")}\n`

/**
 * Removes the characters from `start` to `end`. They are whole lines, of which the last may have no line end. The blank
 * line before them goes, too. Returns `undefined` if the file has nothing else, as `create` made it.
 */
export const cut = (text: string, start: number, end: number): string | undefined => {
  if (start === 0 && end === text.length) return undefined
  const [before, after] = [text.slice(0, start), text.slice(end)]
  // The last line has no end, and the line that was last before the block had none either.
  if (after === "" && !text.endsWith("\n")) return before.replace(/\r?\n(?:\r?\n)?$/, "")
  return before.replace(/(^|\n)\r?\n$/, "$1") + after
}
