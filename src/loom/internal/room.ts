/** How long an answer may be: what was asked for, what the model writes, and what a growing conversation leaves. */
import type { Message } from "../../message/Message.ts"
import * as Tokens from "../../message/Tokens.ts"
import { clamp, type Limits } from "../../model/Limits.ts"

/** Tokens for the answer to these messages; none where none was asked for: then the provider knows best. */
export const make = (
  system: string,
  requested: number | undefined,
  limits: Limits | undefined,
): ((messages: ReadonlyArray<Message>) => number | undefined) => {
  if (requested === undefined) return () => undefined
  let tally = Tokens.start(system)
  let counted: ReadonlyArray<Message> = []
  return (messages) => {
    // A history mostly goes on where it was; where some was left out, it is counted anew.
    const goesOn = counted.length <= messages.length && counted.at(-1) === messages[counted.length - 1]
    const added = goesOn ? messages.slice(counted.length) : messages
    tally = added.reduce(Tokens.add, goesOn ? tally : Tokens.start(system))
    counted = messages
    return clamp(requested, limits, Tokens.tokens(tally))
  }
}
