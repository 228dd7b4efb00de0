/**
 * How many tokens a conversation comes to, estimated from its characters (REQUIREMENTS E-89): no tokenizer is right for
 * all providers. Beside a closer estimate (tokenx) English and code come out a sixth too high, which is the safe side;
 * Chinese and Japanese at a third.
 */
import type { Message } from "./Message.ts"

/**
 * A conversation as far as it has been counted. It grows by one message at a time, so that a turn of the loop costs
 * what the turn has added, not what the whole history comes to.
 */
export interface Tally {
  /** Of the system prompt, and of the messages as JSON; what stands between and around them is not in it. */
  readonly characters: number
  readonly messages: number
}

export const start = (system: string): Tally => ({ characters: system.length, messages: 0 })

export const add = (tally: Tally, message: Message): Tally => ({
  characters: tally.characters + JSON.stringify(message).length,
  messages: tally.messages + 1,
})

/** 0.3 of a character, rounded down; the messages stand in an array, with its brackets and commas. */
export const tokens = ({ characters, messages }: Tally): number =>
  Math.floor(0.3 * (characters + 2 + Math.max(0, messages - 1)))

/** The same of a whole conversation at once. */
export const estimate = (system: string, messages: ReadonlyArray<Message>): number =>
  tokens(messages.reduce(add, start(system)))
