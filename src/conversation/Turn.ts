/** An answer in progress, and the sums over its events. */
import type * as Fiber from "effect/Fiber"
import type * as Ref from "effect/Ref"
import * as Spending from "../agent/Spending.ts"
import { replyText, type TurnEvent } from "../agent/TurnEvent.ts"
import type { NodeId } from "../message/NodeId.ts"

export interface Turn {
  readonly fiber: Fiber.RuntimeFiber<unknown, unknown>
  /** The message of the user. */
  readonly text: string
  readonly progress: Ref.Ref<Progress>
  /** The start of the turn in milliseconds since the epoch. */
  readonly startedAt: number
  /** The position before the message. */
  readonly before: NodeId | undefined
  /** Returns true if the message is in the forest. */
  readonly isStored: () => boolean
}

/** The sums over the events of an answer. */
export interface Progress {
  /** The text of the reply that has not been stored yet. */
  readonly replyText: string
  /** The node of the latest reply. */
  readonly reply: NodeId | undefined
  readonly spending: Spending.Spending
  readonly pending: Spending.Pending | undefined
}

export const noProgress: Progress = {
  replyText: "",
  reply: undefined,
  spending: Spending.zero,
  pending: undefined,
}

export const step = (progress: Progress, event: TurnEvent): Progress => ({
  replyText: replyText(progress.replyText, event),
  reply: event._tag === "NodeStored" && event.kind === "reply" ? event.node.id : progress.reply,
  spending: Spending.step(progress.spending, event),
  pending: Spending.pending(progress.pending, event),
})
