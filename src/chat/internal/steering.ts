/** What a person says while a model works at an answer: the model hears it together with the results of its tools. */
import * as Effect from "effect/Effect"
import type * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { Node } from "../../forest/Node.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"

/**
 * To be asked before each request: keeps what has been said since, if that is more than blank. `first` is the message
 * that is answered: it has just been said, so nothing is asked for before the first request.
 */
export const make =
  (forest: Forest.Service, first: NodeId, said: Effect.Effect<string> = Effect.succeed("")) =>
  (cursor: NodeId): Effect.Effect<ReadonlyArray<Node>, ForestError> =>
    cursor === first
      ? Effect.succeed([])
      : Effect.flatMap(said, (text) =>
          text.trim() === ""
            ? Effect.succeed([])
            : forest.append(cursor, [{ message: Message.user(text), source: { type: "user" } }], { distinct: true }),
        )
