/** Messages that the user sends during an answer: the model receives them together with the results of its tools. */
import * as Effect from "effect/Effect"
import type * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { Node } from "../../forest/Node.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"

/**
 * Makes a function for the time before each request. It stores the messages that the user has sent in the meantime,
 * unless they are blank. `first` is the message that is answered: while the cursor is still at it, before the first
 * request, nothing is taken.
 */
export const make =
  (forest: Forest.Service, first: NodeId, take: Effect.Effect<string> = Effect.succeed("")) =>
  (cursor: NodeId): Effect.Effect<ReadonlyArray<Node>, ForestError> =>
    cursor === first
      ? Effect.succeed([])
      : Effect.flatMap(take, (text) =>
          text.trim() === ""
            ? Effect.succeed([])
            : forest.append(cursor, [{ message: Message.user(text), source: { type: "user" } }], { distinct: true }),
        )
