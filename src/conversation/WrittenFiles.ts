/**
 * Lists the files that a conversation has written. It reads them from the conversation's path, so files of other
 * branches are not included.
 */
import * as Effect from "effect/Effect"
import type * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { NodeId } from "../message/NodeId.ts"

/** Lists the paths as the tools report them, each once, in the order of the first write. Reads the whole path. */
export const onPath = (
  forest: Forest.Service,
  at: NodeId | undefined,
): Effect.Effect<ReadonlyArray<string>, ForestError> =>
  at === undefined
    ? Effect.succeed([])
    : Effect.map(forest.path(at), ({ nodes }) => [
        ...new Set(nodes.flatMap(({ source }) => (source.type === "tool" ? (source.filesWritten ?? []) : []))),
      ])
