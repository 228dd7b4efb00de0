/** The end of the path to a node, as an entry of a view. */
import * as Effect from "effect/Effect"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import * as MessageParts from "../forest/MessageParts.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as View from "./View.ts"

/** The number of nodes that are shown of a conversation that continues. */
export const SHOWN = 20

/** Makes an entry of at most `last` nodes. */
export const entry = (forest: Forest.Service, at: NodeId, last: number): Effect.Effect<View.Entry, ForestError> =>
  Effect.map(forest.path(at, { last }), ({ nodes, root }) => {
    const [first] = nodes
    return View.Entry.History({
      nodes: MessageParts.joinAll(nodes),
      more: first !== undefined && first.parent !== root.id,
    })
  })
