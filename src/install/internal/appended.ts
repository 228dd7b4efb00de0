/**
 * Appends a block of lines to the end of a text, after a blank line. `cut` takes back exactly what `append` adds, even
 * if the text is empty or its last line has no line end.
 */
import { lineEndOf } from "./text.ts"

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
