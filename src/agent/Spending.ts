/** Tokens and cost of runs, as a fold of their events. Pure. */
import * as Tokens from "../message/Tokens.ts"
import * as Usage from "../message/Usage.ts"
import * as Cost from "../model/Cost.ts"
import type { Price } from "../model/ModelEntry.ts"
import { declarations, type Request } from "../model/Request.ts"
import type { TurnEvent } from "./TurnEvent.ts"

export interface Spending {
  readonly usage: Usage.Usage
  /** The cost of `usage` in US dollars; undefined if a price is unknown. */
  readonly cost: number | undefined
}

export const zero: Spending = { usage: Usage.none, cost: 0 }

export const add = (one: Spending, other: Spending): Spending => ({
  usage: Usage.add(one.usage, other.usage),
  cost: Cost.total([one.cost, other.cost]),
})

/**
 * Adds an event. Each complete reply counts, including the usage of its failed attempts. An interrupted one does not:
 * see `estimate`.
 */
export const step = (spending: Spending, event: TurnEvent): Spending => {
  if (event._tag === "ReplyReceived") return add(spending, { usage: event.reply.usage, cost: event.cost })
  return event._tag === "HistorySummarized" ? add(spending, event) : spending
}

/** A request with a reply that is not complete. */
export interface Pending {
  readonly request: Request
  /** The length of the received part of the reply, as `Tokens.lengthOf` counts. */
  readonly characters: number
  /** The usage as the provider has counted it. Undefined before the end of its reply. */
  readonly usage: Usage.Usage | undefined
}

/** Follows the request that waits for its reply, as a fold. Undefined between replies. */
export const pending = (state: Pending | undefined, event: TurnEvent): Pending | undefined => {
  switch (event._tag) {
    case "RequestSent":
      return { request: event.request, characters: 0, usage: undefined }
    case "PartReceived": {
      if (state === undefined) return undefined
      const { part } = event
      if (part._tag === "Finish") return { ...state, usage: part.usage }
      const text = part._tag === "Text" || part._tag === "Thinking" ? part.text : JSON.stringify(part)
      return { ...state, characters: state.characters + Tokens.lengthOf(text) }
    }
    case "ReplyReceived":
    case "RunFailed":
      return undefined
    default:
      return state
  }
}

/**
 * Returns the cost of a request when its reply was stopped. If its provider has not counted the tokens, they are
 * estimated from the characters of the request and of the received part. Providers charge for both.
 */
export const estimate = ({ characters, request, usage: counted }: Pending, price: Price | undefined): Spending => {
  const { messages, system, tools } = request
  const usage = counted ?? {
    ...Usage.none,
    inputTokens: Tokens.estimate(system + declarations(tools), messages),
    outputTokens: characters === 0 ? 0 : Tokens.tokens({ characters, messages: 0 }),
  }
  return { usage, cost: Cost.of(usage, price) }
}
