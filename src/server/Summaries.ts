/** Summarizes conversations as lists show them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Conversation from "../forest/Conversation.ts"
import * as Forest from "../forest/Forest.ts"
import { NodeId } from "../message/NodeId.ts"
import type { Summary } from "./api/Conversations.ts"

export interface Options {
  readonly search?: string | undefined
  /** Lists the conversations of all folders; by default only those of the folder that is served. */
  readonly all?: "true" | undefined
  /** Lists only conversations that changed before this time, in milliseconds since the epoch. */
  readonly before?: number | undefined
}

/** The most conversations in a list. */
const MAX_LISTED = 50

/** Returns the summary of one conversation, which may have no message yet. */
export const of = Effect.fnUntraced(function* (id: NodeId, running: boolean) {
  const forest = yield* Forest.Forest
  const found = Option.getOrUndefined(yield* forest.conversation(id))
  if (found !== undefined && found.messages > 0) return summary(found, running)
  const { root } = yield* forest.path(id, { last: 0 })
  const empty: Summary = { id, title: "New conversation", changed: root.createdAt, messages: 0, running }
  return empty
})

/** Lists conversations, newest first, without the explorations of a codebase, which no user has held. */
export const newest = Effect.fnUntraced(function* (
  { all, before, search }: Options,
  folder: string,
  isRunning: (id: NodeId) => boolean,
) {
  const forest = yield* Forest.Forest
  const found = yield* forest.conversations({
    exceptKinds: ["index"],
    limit: MAX_LISTED,
    ...(all === undefined && { folder }),
    ...(search !== undefined && { search }),
    ...(before !== undefined && { before: { changed: before, root: FIRST } }),
  })
  return found.map((conversation) => summary(conversation, isRunning(conversation.root)))
})

/** An id that sorts before all others. */
const FIRST = NodeId.make(" ")

const summary = ({ changed, folder, messages, root, title }: Conversation.Conversation, running: boolean): Summary => ({
  id: root,
  title,
  changed,
  messages,
  running,
  ...(folder !== undefined && { folder }),
})
