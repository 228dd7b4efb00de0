/** Text that others wrote (models, files, providers), made safe for a terminal. */

/**
 * Drops escape sequences whole (CSI, OSC, DCS and their kin, also unterminated and 8-bit ones) and every other
 * control character but tab and line break, and the invisible characters that reorder or hide text. What can be seen
 * stays.
 */
export const printable = (text: string): string =>
  // Well-formed first: two halves of a surrogate pair must not meet once what stood between them is gone.
  text.toWellFormed().replaceAll(sequences, "").replaceAll(invisible, "")

/** The same on one line: line breaks and tabs become spaces. */
export const printableLine = (text: string): string => printable(text).replaceAll(/[\n\t]+/g, " ")

/** In characters: a longer sequence is taken to be complete, so that a text in pieces is not looked through with each. */
const longestSequence = 4096

/** Where a sequence begins, at the end of a text that goes on, which may not be all there; else how long the text is. */
export const unfinished = (text: string): number => {
  const last = Array.from(text.matchAll(sequences)).at(-1)
  if (last !== undefined && last[0].length <= longestSequence && last.index + last[0].length === text.length) {
    return last.index
  }
  // Half of a surrogate pair.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
}

/** ECMA-48: string sequences up to their terminator or the end of the line, control sequences, and short escapes. */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g

/**
 * Controls, and what Unicode lets a display ignore: bidirectional and zero-width characters, fillers, tags, BOM; line
 * and paragraph separators, annotation marks. Not tab and line feed, nor the joiner and the two selectors of emoji.
 */
const invisible = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]--[\n\t\u200d\ufe0e\ufe0f]]/gv

/** JSON that a terminal can be shown too: what `JSON.stringify` leaves of control and invisible characters is escaped. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[^\x20-\x7e]/gu, (character) =>
    printableLine(character) === character ? character : escaped(character),
  )

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("")
