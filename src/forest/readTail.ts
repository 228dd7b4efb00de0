/** Reads a path backwards as far as needed, since paths may be very long. */
import * as Effect from "effect/Effect"
import type { NodeId } from "../message/NodeId.ts"
import type * as Forest from "./Forest.ts"
import type { ForestError } from "./ForestError.ts"
import type { Node } from "./Node.ts"

/**
 * Reads the end of the path to `id`: `last` nodes (at least 1), then four times as many, and so on, until `isEnough`
 * returns true for the nodes read or the path is read whole.
 */
export const readTail = (
  forest: Forest.Service,
  id: NodeId,
  last: number,
  isEnough: (nodes: ReadonlyArray<Node>) => boolean,
): Effect.Effect<Forest.Path, ForestError> =>
  Effect.flatMap(forest.path(id, { last }), (path) =>
    path.nodes.length < last || isEnough(path.nodes) ? Effect.succeed(path) : readTail(forest, id, last * 4, isEnough),
  )
