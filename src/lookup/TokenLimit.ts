/** Keeps a text within a number of tokens, as `message/Tokens` estimates them. Cuts between lines. */
import * as Tokens from "../message/Tokens.ts"

/** Estimates the tokens of lines with their line ends. */
export const of = (lines: ReadonlyArray<string>): number => Math.ceil(0.3 * charactersOf(lines))

/** Counts how many of the first lines fit. */
export const count = (lines: ReadonlyArray<string>, tokens: number): number => {
  let left = tokens / 0.3
  for (const [at, line] of lines.entries()) {
    left -= Tokens.lengthOf(line) + 1
    if (left < 0) return at
  }
  return lines.length
}

/** Joins the lines. If not all fit, keeps the first ones and ends with a note that there are more. */
export const join = (lines: ReadonlyArray<string>, tokens: number): string => {
  if (count(lines, tokens) === lines.length) return lines.join("\n")
  const most = count(lines, tokens - NOTE_TOKENS)
  return [...lines.slice(0, most), `(cut at ${tokens} tokens: maxTokens allows more)`].join("\n")
}

/** Tokens that are kept for the note. */
const NOTE_TOKENS = 20

const charactersOf = (lines: ReadonlyArray<string>): number =>
  lines.reduce((sum, line) => sum + Tokens.lengthOf(line) + 1, 0)
