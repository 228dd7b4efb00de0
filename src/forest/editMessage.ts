import * as Effect from "effect/Effect"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as Forest from "./Forest.ts"
import type { ForestError } from "./ForestError.ts"
import * as MessageParts from "./MessageParts.ts"
import type { Node } from "./Node.ts"

/**
 * Replaces the text of the whole message that ends at a node. `Forest.edit` replaces that of the node alone, but an
 * edit may have divided the message before. Its bookmarks move. Returns the node at which the path now ends with
 * `text`, with the whole of it.
 */
export const editMessage = (forest: Forest.Service, id: NodeId, text: string): Effect.Effect<Node, ForestError> =>
  Effect.gen(function* () {
    // If the node is no message, `edit` fails with the reason.
    const parts = yield* Effect.orElseSucceed(MessageParts.read(forest, id), () => [])
    const whole = (end: Node) =>
      Effect.map(MessageParts.read(forest, end.id), (parts) => ({ ...end, message: MessageParts.join(parts).message }))
    let rest = text
    for (const part of parts.slice(0, -1)) {
      const known = Message.text(part.message)
      const isKept = rest.startsWith(known) && rest.slice(known.length).trim() !== ""
      if (!isKept) return yield* Effect.flatMap(forest.edit(part.id, rest, { bookmarksOf: id }), whole)
      rest = rest.slice(known.length)
    }
    return yield* Effect.flatMap(forest.edit(id, rest), whole)
  })
