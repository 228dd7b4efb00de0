/**
 * The state of a conversation for a page that opens it: the end of its path, the text beside
 * it, and the answers in progress.
 */
import * as Effect from "effect/Effect"
import * as ContextUse from "../agent/ContextUse.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import * as MessageParts from "../forest/MessageParts.ts"
import { continuesIn, type Node } from "../forest/Node.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { State } from "./api/Conversations.ts"
import type { LiveConversation } from "./LiveConversation.ts"
import { LiveConversations } from "./LiveConversations.ts"
import * as Messages from "./Messages.ts"
import { Served } from "./Served.ts"

/**
 * Reads the state with the path to `leaf`; by default with the path to the message at which the conversation was left.
 */
export const read = Effect.fnUntraced(function* (live: LiveConversation, leaf?: NodeId) {
  const conversations = yield* LiveConversations
  const served = yield* Served
  const forest = yield* Forest.Forest
  const end = leaf ?? (yield* live.leaf)
  const { earlier, messages, nodes, root } = yield* pathTo(end)
  const { used, window } = ContextUse.of(nodes, { fixed: root.systemPrompt, limits: served.model.limits })
  const state: State = {
    summary: yield* conversations.summary(live.id),
    messages,
    earlier,
    leaf: end,
    children: (yield* forest.children(end)).map(({ id }) => id),
    document: yield* live.document,
    answers: yield* live.answers,
    waiting: yield* live.waiting,
    ...(served.refusal === undefined ? { model: String(served.model.id) } : { refusal: served.refusal }),
    hasTools: served.tools !== undefined,
    ...(window !== undefined && { context: { used, window } }),
  }
  return state
})

/**
 * Returns the end of the newest branch below the message that ends at a node. Takes time linear in the branch's length.
 */
export const newestBelow = (id: NodeId): Effect.Effect<NodeId, ForestError, Forest.Forest> =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    const [own] = (yield* forest.path(id, { last: 1 })).nodes
    const below = yield* forest.children(id)
    // A child that continues the text is another version of the message.
    const after = below.filter((child) => own === undefined || !continuesIn(own, child))
    let end = id
    let newest = (after.length > 0 ? after : below).at(-1)
    while (newest !== undefined) {
      end = newest.id
      newest = (yield* forest.children(end)).at(-1)
    }
    return end
  })

/**
 * Returns the last message of the answer that a message is part of, on the newest branch: an answer with tools has
 * several messages. Takes time linear in their number.
 */
export const endOfAnswer = (id: NodeId): Effect.Effect<NodeId, ForestError, Forest.Forest> =>
  Effect.gen(function* () {
    const forest = yield* Forest.Forest
    let end: Node | undefined = yield* forest.node(id)
    let last = id
    while (end !== undefined && (end.source.type === "model" || end.source.type === "tool")) {
      last = end.id
      end = (yield* forest.children(last)).at(-1)
    }
    return last
  })

/** Returns the messages before one, at most as many as a page gets at once. */
export const before = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const { parent } = yield* forest.node(id)
  const { earlier, messages } = yield* pathTo(parent)
  return { earlier, messages }
})

/** Returns the end of the path to a node, and how many messages come before it. */
const pathTo = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(id, { last: Messages.MAX_MESSAGES })
  const [first] = nodes
  if (first === undefined || nodes.length < Messages.MAX_MESSAGES) {
    return { messages: yield* Messages.ofNodes(nodes), earlier: 0, nodes, root }
  }
  // Starts with a whole message, even if an edit has divided it.
  const whole = [...(yield* MessageParts.read(forest, first.id)).slice(0, -1), ...nodes]
  const length = yield* forest.depth(id)
  return { messages: yield* Messages.ofNodes(whole), earlier: length - whole.length, nodes, root }
})
