/** Every PRD of a person's conversations: each version of each, where it stands in the forest. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as PrdVersions from "../../chat/PrdVersions.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { UsageError } from "../../message/UsageError.ts"

export interface Archive {
  /** Newest first. */
  readonly versions: ReadonlyArray<PrdVersions.Version>
  /** There may be older ones. */
  readonly hasMore: boolean
}

/**
 * Costs a search for messages of models that say PRD, and the reading of one path for each end of a conversation that has
 * one; other messages are not read.
 */
export const of = Effect.fn("Archive.of")(function* (owner: string) {
  const forest = yield* Forest.Forest
  const hits = yield* Effect.forEach(yield* forest.roots(owner), ({ id }) =>
    forest.search({ text: WORD, root: id, role: "assistant", limit: MOST }),
  )
  const found = new Map<string, PrdVersions.Version>()
  const known = new Set<NodeId>()
  // The newest of a conversation first: the others stand on the way to it.
  for (const { id } of hits.flat()) {
    if (known.has(id) || PrdVersions.versions(yield* answered(id)).length === 0) continue
    for (const version of yield* versionsAt(id)) {
      found.set(`${version.node} ${version.number}`, version)
      known.add(version.node)
    }
  }
  const archive: Archive = {
    versions: Arr.sort(found.values(), newest),
    hasMore: hits.some(({ length }) => length === MOST),
  }
  return archive
})

/** The one at a node, or the last one before it, with those before that: oldest first, never empty. */
export const named = Effect.fn("Archive.named")(function* (name: string) {
  const versions = yield* versionsAt(yield* NodeName.resolve(name))
  const last = versions.at(-1)
  return last === undefined
    ? yield* new UsageError({ message: `there is no PRD at ${name}`, command: "prd" })
    : { versions, last }
})

/** On the path to a node, and in what it says itself. */
const versionsAt = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const { nodes } = yield* forest.path(id)
  return PrdVersions.versions([...nodes, ...(yield* answered(id)).slice(1)])
})

/** A node and the answers to what it calls: only with these is it known whether what it submits was taken. */
const answered = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const node = yield* forest.node(id)
  const depth = Message.toolUses(node.message).length
  const below = depth === 0 ? [] : yield* forest.subtree(id, { depth })
  return [node, ...below.filter(({ message }) => message.role === "tool")]
})

/** In every message that gives a PRD: between its markers, in its heading, in the name of the tool. */
const WORD = "prd"

/** Messages of a tree that are looked at. */
const MOST = 5000

const newest = Order.reverse(
  Order.combine(
    Order.mapInput(Order.number, ({ createdAt }: PrdVersions.Version) => createdAt),
    Order.mapInput(Order.number, ({ number }: PrdVersions.Version) => number),
  ),
)
