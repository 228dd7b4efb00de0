/** A conversation without a message: its tree is made with the first one. */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Root } from "../forest/Root.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Backend } from "./SessionMode.ts"

/**
 * `open` makes the backend at the root of the new tree. If the first message cannot be stored, the tree may stay empty.
 */
export const make = (
  forest: Forest.Service,
  tree: Pick<Root, "owner" | "systemPrompt">,
  open: (root: NodeId) => Effect.Effect<Backend, ForestError>,
): Effect.Effect<Backend> =>
  Effect.map(Ref.make<Backend | undefined>(undefined), (opened): Backend => {
    const begin = Effect.flatMap(forest.startConversation(tree), ({ id }) => open(id)).pipe(
      Effect.tap((backend) => Ref.set(opened, backend)),
      Effect.uninterruptible,
    )
    return {
      cursor: Effect.flatMap(Ref.get(opened), (backend) => backend?.cursor ?? Effect.succeed(undefined)),
      send: (text, options) =>
        Effect.flatMap(Ref.get(opened), (backend) =>
          backend === undefined
            ? Effect.flatMap(begin, ({ send }) => send(text, options))
            : backend.send(text, options),
        ),
    }
  })
