/**
 * Keeps the requests of a run within the context window of the model, and its replies within the room that they leave.
 */
import * as Option from "effect/Option"
import type { Message } from "../../message/Message.ts"
import * as Tokens from "../../message/Tokens.ts"
import { clamp, type Limits } from "../../model/Limits.ts"
import { compact } from "./compact.ts"

export interface Fitted {
  /** The messages, as many as before and in the same order. */
  readonly messages: ReadonlyArray<Message>
  /** The number of tool results that this call left out. */
  readonly leftOut: number
  /** The estimate in tokens that exceeded the window first. Undefined if nothing was left out. */
  readonly exceeded: number | undefined
}

/** Fits messages into the window. `trailing` are messages that are sent after the others with this request only. */
export type FitWindow = (messages: ReadonlyArray<Message>, trailing?: ReadonlyArray<Message>) => Fitted

/**
 * Leaves out old tool results once the estimate of a request exceeds `maxInput` tokens. Like `compact`, it frees half
 * of the window: the next requests append to the same messages, so that the provider's cache of their prefix stays
 * valid. `fixed` has the parts of each request other than its messages, that is, system prompt and declarations of
 * tools.
 *
 * There is no further margin, since the estimate has one: it is 16 to 49 % above the tokens of code, prose and JSON in
 * o200k, and 4 % below them for lists of versions. If it is too low, the provider refuses the request free of charge,
 * and the run leaves out results then.
 *
 * The path of a conversation is read again for each run. So the first call repeats the steps of the earlier runs: a
 * request was sent before each message of the model, and the results that were left out then are left out again. The
 * choice depends only on the messages before a result, not on the node at which a run begins.
 */
export const make = (fixed: string, maxInput: number | undefined): FitWindow => {
  if (maxInput === undefined) return (messages) => ({ messages, leftOut: 0, exceeded: undefined })
  const start = Tokens.start(fixed)
  let state: State = { messages: [], tally: start }
  return (messages, trailing = []) => {
    const isAppended =
      state.messages.length <= messages.length && state.messages.every((message, at) => message === messages[at])
    const known = isAppended ? state : { messages: [], tally: start }
    const kept = [...known.messages]
    let { tally } = known
    let leftOut = 0
    let exceeded: number | undefined
    // Nothing more can be left out until there is a new result.
    let hasResults = true
    const makeRoom = (more: ReadonlyArray<Message>) => {
      for (let size = sizeOf(tally, more); size > maxInput && hasResults; size = sizeOf(tally, more)) {
        const shorter = Option.getOrUndefined(compact(kept))
        if (shorter === undefined) {
          hasResults = false
          return
        }
        exceeded ??= size
        leftOut += shorter.leftOut
        kept.splice(0, kept.length, ...shorter.messages)
        tally = kept.reduce(Tokens.add, start)
      }
    }
    for (const message of messages.slice(kept.length)) {
      if (message.role === "assistant") makeRoom([])
      if (message.role === "tool") hasResults = true
      kept.push(message)
      tally = Tokens.add(tally, message)
    }
    makeRoom(trailing)
    state = { messages: kept, tally }
    return { messages: leftOut === 0 ? messages : kept, leftOut, exceeded }
  }
}

interface State {
  readonly messages: ReadonlyArray<Message>
  /** The tokens of the fixed part and these messages. */
  readonly tally: Tokens.Tally
}

const sizeOf = (tally: Tokens.Tally, more: ReadonlyArray<Message>): number =>
  Tokens.tokens(more.reduce(Tokens.add, tally))

/**
 * Makes a function that returns the limit of a reply to these messages, in tokens. It is undefined if none is
 * requested: then the provider's default holds.
 */
export const outputLimit = (
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
