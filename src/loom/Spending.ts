/** Tokens and cost of runs, as a fold of their events. Pure. */
import * as Usage from "../message/Usage.ts"
import * as Cost from "../model/Cost.ts"
import type { TurnEvent } from "./TurnEvent.ts"

export interface Spending {
  readonly usage: Usage.Usage
  /** The cost of `usage` in US dollars; undefined where a price is unknown. */
  readonly cost: number | undefined
}

export const zero: Spending = { usage: Usage.none, cost: 0 }

export const add = (one: Spending, other: Spending): Spending => ({
  usage: Usage.add(one.usage, other.usage),
  cost: Cost.total([one.cost, other.cost]),
})

/** Each complete reply counts, with what its failed attempts have used. An interrupted one does not: its usage is unknown. */
export const step = (spending: Spending, event: TurnEvent): Spending =>
  event._tag === "ReplyReceived" ? add(spending, { usage: event.reply.usage, cost: event.cost }) : spending
