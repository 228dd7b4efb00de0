/** Foreign text in a batch: cut, safe, so that nothing in it looks like a mark, and measured in tokens. Pure. */
import { sanitize } from "../../base/Sanitize.ts"
import * as Tokens from "../../message/Tokens.ts"

/** The most characters of a line: longer ones are data, or minified. */
export const MAX_LINE_CHARS = 200

/** Returns a text as one line. */
export const oneLine = (text: string, most: number): string => cutAt(clean(text.replaceAll(/\s+/g, " ").trim()), most)

/** Cuts first, so that the rest costs no time, however long a line is and however many symbols are on it. */
export const cutLine = (line: string): string =>
  clean(cutAt(line.slice(0, MAX_LINE_CHARS + 1).trimEnd(), MAX_LINE_CHARS))

/** Cuts a text, but never between the halves of a surrogate pair. */
const cutAt = (text: string, most: number): string => {
  if (text.length <= most) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 2)) ? most - 2 : most - 1
  return `${text.slice(0, end)}…`
}

/** Makes a text safe to show, and removes everything that could be taken for a mark. */
export const clean = (text: string): string =>
  /^[\t\x20-\x7e]*$/.test(text) ? text : sanitize(text).replaceAll("§", "¶").replaceAll("\n", " ")

/** Returns the tokens of a text. Rounds up, so that the sum of parts is not less than the whole. */
export const sizeOf = (text: string): number => Math.ceil(0.3 * (Tokens.lengthOf(text) + 1))

/** Returns the least tokens of a line, rounded down: these are subtracted as savings. */
export const fewest = (line: string): number => Math.floor(0.3 * (Tokens.lengthOf(line) + 1))
