/** Helpers for lines, line ends and edits of a text. */

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
