/** Makes text of models, files and providers safe for a terminal. */

/**
 * Removes escape sequences (CSI, OSC, DCS and the like, also unterminated and 8-bit ones), all other control characters
 * but tab and line break, and invisible characters, which can reorder or hide text. Visible characters stay.
 */
export const sanitize = (text: string): string =>
  // Most texts are ASCII, and the tables of Unicode that the other expression needs take milliseconds to make.
  isPlain.test(text)
    ? text
    : // The text is made well-formed first: a removal must not join two unpaired surrogates.
      text.toWellFormed().replaceAll(sequences, "").replaceAll(invisible, "")

/** Matches a text of visible ASCII characters, tabs and line feeds. */
const isPlain = /^[\t\n\x20-\x7e]*$/

/** Like `sanitize`, but on one line: line breaks and tabs become spaces. */
export const sanitizeLine = (text: string): string => sanitize(text).replaceAll(/[\n\t]+/g, " ")

/** A limit in characters. A longer sequence counts as complete, so that a streamed text is scanned in linear time. */
const longestSequence = 4096

/**
 * Returns the index of a possibly incomplete sequence at the end of a streamed text; otherwise the length of the text.
 */
export const incompleteAt = (text: string): number => {
  const last = Array.from(text.matchAll(sequences)).at(-1)
  if (last !== undefined && last[0].length <= longestSequence && last.index + last[0].length === text.length) {
    return last.index
  }
  // The text ends with the first half of a surrogate pair.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
}

/** ECMA-48: string sequences up to their terminator or the end of the line, control sequences, and short escapes. */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g

/**
 * Control characters, and those that a display may ignore according to Unicode: bidirectional and zero-width
 * characters, fillers, tags, BOM; also line and paragraph separators and annotation marks. Excluded are tab, line feed,
 * and the joiner and the two variation selectors of emoji.
 */
const invisible = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]--[\n\t\u200d\ufe0e\ufe0f]]/gv

/**
 * Returns JSON that is safe for a terminal: it escapes the control and invisible characters that `JSON.stringify`
 * leaves.
 */
export const sanitizeJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[^\x20-\x7e]/gu, (character) =>
    sanitizeLine(character) === character ? character : escapeCharacter(character),
  )

const escapeCharacter = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("")
