/** The work of `vibe show --why`: the exchange in which a model wrote what a symbol is for. */
import * as Effect from "effect/Effect"
import * as Forest from "../../forest/Forest.ts"
import { ForestError, NotFound } from "../../forest/ForestError.ts"
import type { Node } from "../../forest/Node.ts"
import type { IndexEntry } from "../../indexing/IndexEntry.ts"
import { NodeId } from "../../message/NodeId.ts"
import * as NodeFormat from "../loom/NodeFormat.ts"
import type { Style } from "../terminal/Style.ts"

/** What was said last before the purpose was written, the message that wrote it, and what came of that. */
export const exchange = Effect.fn("Why.exchange")(function* (entry: IndexEntry) {
  const { purpose } = entry
  if (purpose === undefined) return []
  const forest = yield* Forest.Forest
  const id = NodeId.make(purpose.node)
  const { nodes } = yield* forest.path(id)
  const [result] = yield* forest.children(id)
  return [...nodes.slice(-2), ...(result === undefined ? [] : [result])]
})

/** For programs: `exchange`, oldest first; null where the conversation is not in this forest. */
export const known = (entry: IndexEntry) =>
  exchange(entry).pipe(
    Effect.map((nodes) => ({ exchange: nodes })),
    Effect.catchIf(isElsewhere, () => Effect.succeed({ exchange: null })),
  )

/** For people; a line that says so where the conversation is not in this forest. */
export const told = Effect.fn("Why.told")(function* (entry: IndexEntry, style: Style) {
  if (entry.purpose === undefined) return "nothing is known of what it is for"
  const { model, node } = entry.purpose
  return yield* exchange(entry).pipe(
    Effect.flatMap((nodes) => described(nodes, style)),
    Effect.catchIf(isElsewhere, () =>
      Effect.succeed(`${model} wrote this in a conversation that is not kept here (node ${node})`),
    ),
  )
})

const described = Effect.fnUntraced(function* (nodes: ReadonlyArray<Node>, style: Style) {
  const names = yield* NodeFormat.loadLabels(nodes)
  return nodes.map((node) => NodeFormat.entry(node, names, style)).join("\n\n")
})

const isElsewhere = (error: unknown): boolean => error instanceof ForestError && error.reason instanceof NotFound
