/** Messages that the user has sent in a conversation. */
import * as Effect from "effect/Effect"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import { readTail } from "../forest/ForestService.ts"
import * as MessageParts from "../forest/MessageParts.ts"
import type { Node } from "../forest/Node.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Mentions from "./Mentions.ts"

/**
 * The user's messages among the last 100 nodes of the path to `from`, oldest first. They are as typed, without the text
 * of files.
 */
export const newest = (forest: Forest.Service, from: NodeId | undefined) =>
  from === undefined
    ? Effect.succeed([])
    : Effect.map(forest.path(from, { last: 100 }), ({ nodes }) =>
        MessageParts.joinAll(nodes).flatMap(({ message }) =>
          message.role === "user" ? [Mentions.withoutFiles(Message.text(message))] : [],
        ),
      )

/**
 * Returns the user's last message on the path to `from`, whole. It reads the path backwards, and only as far as it
 * must.
 */
export const last = (forest: Forest.Service, from: NodeId | undefined): Effect.Effect<Node | undefined, ForestError> =>
  from === undefined
    ? Effect.succeed(undefined)
    : Effect.flatMap(
        readTail(forest, from, TAIL_NODES, (nodes) => nodes.some(isUserMessage)),
        ({ nodes }) => {
          const end = nodes.findLast(isUserMessage)
          return end === undefined
            ? Effect.succeed(end)
            : Effect.map(MessageParts.read(forest, end.id), MessageParts.join)
        },
      )

/** Returns the nodes after the user's last message on the path to `at`: the answer to it. */
export const answer = (forest: Forest.Service, at: NodeId): Effect.Effect<ReadonlyArray<Node>, ForestError> =>
  Effect.map(
    readTail(forest, at, TAIL_NODES, (nodes) => nodes.some(isUserMessage)),
    ({ nodes }) => nodes.slice(nodes.findLastIndex(isUserMessage) + 1),
  )

const isUserMessage = ({ message }: Pick<Node, "message">): boolean => message.role === "user"

/** The number of nodes that are read at first: more than most answers have. */
const TAIL_NODES = 20
