/** Finds all versions of PRDs in the stored conversations of an owner. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import { UsageError } from "../../base/UsageError.ts"
import * as PrdVersions from "../../conversation/prd/PrdVersions.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"

export interface Archive {
  /** The versions, newest first. */
  readonly versions: ReadonlyArray<PrdVersions.Version>
  /** True if there may be older versions. */
  readonly hasMore: boolean
}

/**
 * Costs three full-text searches, for replies that mention a PRD and for answers that were accepted as one, and a path
 * for each conversation that has one; other messages are not read.
 */
export const listVersions = Effect.fn("Archive.listVersions")(function* (owner: string) {
  const forest = yield* Forest.Forest
  const hits = yield* Effect.forEach(searches, (search) => forest.search({ ...search, owner, limit: MAX_MESSAGES }))
  const found = new Map<string, PrdVersions.Version>()
  const known = new Set<NodeId>()
  // Hits are read newest first: the older versions of a conversation are on the path to the newest.
  for (const node of hits.flat()) {
    const { id } = node
    if (known.has(id)) continue
    const isVersion =
      PrdVersions.readAcceptance(node) !== undefined || PrdVersions.versions(yield* withToolResults(id)).length > 0
    if (!isVersion) continue
    for (const version of yield* versionsOnPath(id)) {
      found.set(`${version.node} ${version.number}`, version)
      known.add(version.node)
    }
  }
  const archive: Archive = {
    versions: Arr.sort(found.values(), newest),
    hasMore: hits.some(({ length }) => length === MAX_MESSAGES),
  }
  return archive
})

/** The version at a node, or the last one before it, with those before that: oldest first, never empty. */
export const versionsAtNode = Effect.fn("Archive.versionsAtNode")(function* (name: string) {
  const versions = yield* versionsOnPath(yield* NodeName.resolve(name))
  const last = versions.at(-1)
  return last === undefined
    ? yield* new UsageError({ message: `there is no PRD at ${name}`, command: "prd" })
    : { versions, last }
})

/** The versions on the path to a node, its own included. */
const versionsOnPath = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const { nodes } = yield* forest.path(id)
  return PrdVersions.versions([...nodes, ...(yield* withToolResults(id)).slice(1)])
})

/** A node and the results of its tool calls, which show whether a submitted PRD was accepted. */
const withToolResults = Effect.fnUntraced(function* (id: NodeId) {
  const forest = yield* Forest.Forest
  const node = yield* forest.node(id)
  const depth = Message.toolUses(node.message).length
  const below = depth === 0 ? [] : yield* forest.subtree(id, { depth })
  return [node, ...below.filter(({ message }) => message.role === "tool")]
})

/** Every reply with a PRD has one of these words, in its marks, its heading, or the name of the tool. */
const searches = [
  { text: "prd", role: "assistant" },
  { text: "requirements", role: "assistant" },
  { text: "accepted", role: "system" },
] as const

/** The most search hits that are read, per search. */
const MAX_MESSAGES = 5000

const newest = Order.reverse(
  Order.combine(
    Order.mapInput(Order.number, ({ createdAt }: PrdVersions.Version) => createdAt),
    Order.mapInput(Order.number, ({ number }: PrdVersions.Version) => number),
  ),
)
