/** `vibe show --why`: the messages in which a model wrote the purpose of a symbol. */
import * as Effect from "effect/Effect"
import * as Forest from "../../forest/Forest.ts"
import { ForestError, NotFound } from "../../forest/ForestError.ts"
import type { Node } from "../../forest/Node.ts"
import type { IndexEntry } from "../../indexing/IndexEntry.ts"
import { NodeId } from "../../message/NodeId.ts"
import * as NodeFormat from "../loom/NodeFormat.ts"
import type { Style } from "../terminal/Style.ts"

/** The message before the one that wrote the purpose, that one, and the tool's result. */
export const exchange = Effect.fn("PurposeExchange.exchange")(function* (entry: IndexEntry) {
  const node = entry.purpose?.node
  if (node === undefined) return []
  const forest = yield* Forest.Forest
  const id = NodeId.make(node)
  const { nodes } = yield* forest.path(id)
  const [result] = yield* forest.children(id)
  return [...nodes.slice(-2), ...(result === undefined ? [] : [result])]
})

/** The field `exchange` of `--json`, oldest first; null where the conversation is not in this forest. */
export const toJson = (entry: IndexEntry) =>
  exchange(entry).pipe(
    Effect.map((nodes) => ({ exchange: nodes })),
    Effect.catchIf(isElsewhere, () => Effect.succeed({ exchange: null })),
  )

/** The exchange as text; one line where the conversation is not in this forest. */
export const toText = Effect.fn("PurposeExchange.toText")(function* (entry: IndexEntry, style: Style) {
  if (entry.purpose === undefined) return "it has no purpose yet"
  const { model, node, origin } = entry.purpose
  if (origin === "comment") return "no model wrote this: it is the symbol's comment"
  return yield* exchange(entry).pipe(
    Effect.flatMap((nodes) => format(nodes, style)),
    Effect.catchIf(isElsewhere, () =>
      Effect.succeed(`${model} wrote this in a conversation that is not kept here (node ${node})`),
    ),
  )
})

const format = Effect.fnUntraced(function* (nodes: ReadonlyArray<Node>, style: Style) {
  const labels = yield* NodeFormat.loadLabels(nodes)
  return nodes.map((node) => NodeFormat.entry(node, labels, style)).join("\n\n")
})

const isElsewhere = (error: unknown): boolean => error instanceof ForestError && error.reason instanceof NotFound
