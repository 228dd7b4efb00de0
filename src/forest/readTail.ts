/** The end of a path, read backwards as far as is needed: a path may be a long one. */
import * as Effect from "effect/Effect"
import type { NodeId } from "../message/NodeId.ts"
import type * as Forest from "./Forest.ts"
import type { ForestError } from "./ForestError.ts"
import type { Node } from "./Node.ts"

/**
 * The path to `id`, or the end of it: at least `last` nodes (from 1), and more of them, in growing steps, until `isEnough`
 * says so of what was read.
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
