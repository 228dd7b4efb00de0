/** Finds the result of a message that is sent again with the same key, so that it is stored once. */
import * as Effect from "effect/Effect"
import * as Forest from "../../forest/Forest.ts"
import type { Node } from "../../forest/Node.ts"
import * as Message from "../../message/Message.ts"
import { NodeId } from "../../message/NodeId.ts"
import type { SayResult } from "../api/Conversations.ts"
import * as DraftStore from "../DraftStore.ts"
import * as Messages from "../Messages.ts"
import { toWaiting } from "./waitingMessages.ts"

/** Returns the key within all conversations: pages choose keys, so each conversation has its own. */
export const keyOf = (conversation: NodeId, key: string): string => `${conversation} ${key}`

/** Returns what the first request has stored, or undefined if it stored nothing. */
export const findResult = Effect.fnUntraced(function* (
  conversation: NodeId,
  { at, result }: DraftStore.Request,
  { parent, text }: { readonly parent: NodeId; readonly text: string },
) {
  const drafts = yield* DraftStore.DraftStore
  const forest = yield* Forest.Forest
  const stored = (node: Node) => Effect.map(Messages.ofNode(node), (message): SayResult => ({ message }))
  const rows = yield* drafts.waiting(conversation)
  if (result !== undefined) {
    const waiting = rows.find(({ id }) => id === result)
    if (waiting !== undefined) return { waiting: toWaiting(waiting) }
    const node = yield* Effect.option(forest.node(NodeId.make(result)))
    // If there is no such node, the message waited and has been sent since.
    return node._tag === "None" ? { waiting: { id: result, text } } : yield* stored(node.value)
  }
  // The server was killed between storing the message and recording that.
  const waiting = rows.find((row) => row.text === text)
  if (waiting !== undefined) return { waiting: toWaiting(waiting) }
  // Up to two notices come before the message: that the message above was not answered, and that the text was edited.
  const below = yield* forest.subtree(parent, { depth: 3 })
  const node = below.find(
    ({ createdAt, message, source }) => source.type === "user" && createdAt >= at && Message.text(message) === text,
  )
  return node === undefined ? undefined : yield* stored(node)
})
