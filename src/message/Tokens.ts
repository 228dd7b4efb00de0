/**
 * How many tokens a conversation comes to, estimated from its characters (REQUIREMENTS E-89): no tokenizer is right for
 * all providers. Beside a closer estimate (tokenx) English and code come out a sixth too high, which is the safe side.
 */
import type * as Block from "./Block.ts"
import type { Message } from "./Message.ts"

/**
 * A conversation as far as it has been counted. It grows by one message at a time, so that a turn of the loop costs
 * what the turn has added, not what the whole history comes to.
 */
export interface Tally {
  /** Of the system prompt, and of the messages as JSON, see `lengthOf`; what stands between and around them is not in it. */
  readonly characters: number
  readonly messages: number
}

export const start = (system: string): Tally => ({ characters: lengthOf(system), messages: 0 })

export const add = (tally: Tally, message: Message): Tally => ({
  characters: tally.characters + lengthOf(JSON.stringify(message)) - dataOf(message),
  messages: tally.messages + 1,
})

/** 0.3 of a character, rounded down; the messages stand in an array, with its brackets and commas. */
export const tokens = ({ characters, messages }: Tally): number =>
  Math.floor(0.3 * (characters + 2 + Math.max(0, messages - 1)))

/** The same of a whole conversation at once. */
export const estimate = (system: string, messages: ReadonlyArray<Message>): number =>
  tokens(messages.reduce(add, start(system)))

/** In characters; those of scripts in which each is a token or more count as much as others that come to one. */
export const lengthOf = (text: string): number => {
  // Most texts have none of them, and that is seen at once.
  if (!/[^\0-\u02ff]/.test(text)) return text.length
  const dense = text.match(DENSE)?.reduce((length, run) => length + run.length, 0) ?? 0
  return text.length + Math.ceil((dense * 7) / 3)
}

/** A picture's data counts as so many characters, however many it has: about 1000 tokens. */
export const PICTURE = 3333

const dataOf = ({ content }: Message): number =>
  content.reduce<number>((length, block) => (isPicture(block) ? length + block.data.length - PICTURE : length), 0)

const isPicture = (block: Block.Block): block is Block.Image => block.type === "image"

/** What comes after Arabic and its like: Indic, East Asian and Ethiopic scripts, wide forms, pictographs. */
const DENSE = /[\u0900-\u1aff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{10a00}-\u{323af}]+/gu
