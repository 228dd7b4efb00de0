/** The limit of output tokens: the requested one, within that of the model and what the conversation leaves. */
import type { Message } from "../../message/Message.ts"
import * as Tokens from "../../message/Tokens.ts"
import { clamp, type Limits } from "../../model/Limits.ts"

/** The limit of a reply to these messages, in tokens. None if none is requested: then the provider's default holds. */
export const make = (
  system: string,
  requested: number | undefined,
  limits: Limits | undefined,
): ((messages: ReadonlyArray<Message>) => number | undefined) => {
  if (requested === undefined) return () => undefined
  let tally = Tokens.start(system)
  let counted: ReadonlyArray<Message> = []
  return (messages) => {
    // Mostly, messages are appended: only those are counted. A compacted history is counted from the start.
    const isAppended = counted.length <= messages.length && counted.every((message, at) => message === messages[at])
    const added = isAppended ? messages.slice(counted.length) : messages
    tally = added.reduce(Tokens.add, isAppended ? tally : Tokens.start(system))
    counted = messages
    return clamp(requested, limits, Tokens.tokens(tally))
  }
}
