/**
 * Computes the limit of output tokens: the requested one, within the limit of the model and the room that the
 * conversation leaves.
 */
import type { Message } from "../../message/Message.ts"
import * as Tokens from "../../message/Tokens.ts"
import { clamp, type Limits } from "../../model/Limits.ts"

/**
 * Makes a function that returns the limit of a reply to these messages, in tokens. It is undefined if none is
 * requested: then the provider's default holds.
 */
export const make = (
  system: string,
  requested: number | undefined,
  limits: Limits | undefined,
): ((messages: ReadonlyArray<Message>) => number | undefined) => {
  if (requested === undefined) return () => undefined
  let tally = Tokens.start(system)
  let counted: ReadonlyArray<Message> = []
  return (messages) => {
    // Messages are mostly appended, and only new ones are counted. A compacted history is counted from the start.
    const isAppended = counted.length <= messages.length && counted.every((message, at) => message === messages[at])
    const added = isAppended ? messages.slice(counted.length) : messages
    tally = added.reduce(Tokens.add, isAppended ? tally : Tokens.start(system))
    counted = messages
    return clamp(requested, limits, Tokens.tokens(tally))
  }
}
