/** The width of text in columns of a terminal. Pure. */

/** East Asian characters that are wide or fullwidth (EastAsianWidth.txt of Unicode 16), except emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u

/** Characters that are shown as a picture of two columns; U+FE0F asks for that. */
const EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\ufe0f/u

/** Matches characters without a width alone: marks without a base, joiners. */
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Returns the columns of a line without escape sequences. */
export const width = (line: string): number =>
  isAscii(line)
    ? line.length
    : Array.from(segmenter.segment(line)).reduce((sum, { segment }) => sum + columns(segment), 0)

/**
 * Cuts a line to at most `width` columns; if the line is wider, the last column is an ellipsis. No character is cut in
 * two.
 */
export const cut = (line: string, width: number): string => {
  if (isAscii(line)) return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`
  let used = 0
  /** The length of the part that fits before an ellipsis. */
  let end = 0
  for (const { index, segment } of segmenter.segment(line)) {
    used += columns(segment)
    if (used > width) return `${line.slice(0, end)}…`
    if (used < width) end = index + segment.length
  }
  return line
}

/** Returns the columns of a character as the user perceives it, which may be several code points. */
const columns = (grapheme: string): number =>
  INVISIBLE.test(grapheme) ? 0 : EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1
