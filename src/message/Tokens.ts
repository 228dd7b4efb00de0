/**
 * Estimates the tokens of conversations and texts from their characters, since no tokenizer is right for all providers,
 * and keeps a text within a number of them. The estimate for English and code is a sixth higher than that of tokenx,
 * which errs on the safe side.
 */
import type * as Block from "./Block.ts"
import type { Message } from "./Message.ts"

/**
 * A running count. Messages are added one at a time, so that a turn of the loop takes time for its own messages, not
 * for the whole history.
 */
export interface Tally {
  /**
   * The characters of the system prompt and of each message as JSON, by `lengthOf`; separators between messages are not
   * counted.
   */
  readonly characters: number
  readonly messages: number
}

export const start = (system: string): Tally => ({ characters: lengthOf(system), messages: 0 })

export const add = (tally: Tally, message: Message): Tally => ({
  characters: tally.characters + lengthOf(JSON.stringify(message)) - dataOf(message),
  messages: tally.messages + 1,
})

/** Tokens for each character of `lengthOf`. */
export const PER_CHARACTER = 0.3

/** Returns the tokens, rounded down. The messages count as a JSON array, with brackets and commas. */
export const tokens = ({ characters, messages }: Tally): number =>
  Math.floor(PER_CHARACTER * (characters + 2 + Math.max(0, messages - 1)))

/** Returns the estimate for a whole conversation. */
export const estimate = (system: string, messages: ReadonlyArray<Message>): number =>
  tokens(messages.reduce(add, start(system)))

/**
 * Returns the length in characters. A character of a script with a token or more a character counts as 10/3, which is
 * one token.
 */
export const lengthOf = (text: string): number => {
  // This is the fast path: most texts have none of them.
  if (!/[^\0-\u02ff]/.test(text)) return text.length
  const dense = text.match(DENSE)?.reduce((length, run) => length + run.length, 0) ?? 0
  return text.length + Math.ceil((dense * 7) / 3)
}

/** The characters that the data of a picture counts as, whatever its size: about 1000 tokens. */
export const PICTURE = 3333

const dataOf = ({ content }: Message): number =>
  content.reduce<number>((length, block) => (isPicture(block) ? length + block.data.length - PICTURE : length), 0)

const isPicture = (block: Block.Block): block is Block.Image => block.type === "image"

/** The scripts with a token or more a character: Indic, East Asian and Ethiopic, wide forms, pictographs. */
const DENSE = /[\u0900-\u1aff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{10a00}-\u{323af}]+/gu

/** Estimates the tokens of lines with their line ends. */
export const ofLines = (lines: ReadonlyArray<string>): number => Math.ceil(PER_CHARACTER * charactersOf(lines))

/** Counts how many of the first lines fit. */
export const countFitting = (lines: ReadonlyArray<string>, tokens: number): number => {
  let left = tokens / PER_CHARACTER
  for (const [at, line] of lines.entries()) {
    left -= lengthOf(line) + 1
    if (left < 0) return at
  }
  return lines.length
}

/** Joins the lines. If not all fit, keeps the first ones and ends with a note that there are more. */
export const joinFitting = (lines: ReadonlyArray<string>, tokens: number): string => {
  if (countFitting(lines, tokens) === lines.length) return lines.join("\n")
  const most = countFitting(lines, tokens - NOTE_TOKENS)
  return [...lines.slice(0, most), `(cut at ${tokens} tokens: maxTokens allows more)`].join("\n")
}

/** Tokens that are kept for the note. */
const NOTE_TOKENS = 20

const charactersOf = (lines: ReadonlyArray<string>): number => lines.reduce((sum, line) => sum + lengthOf(line) + 1, 0)
