/** Conversations as lists show them. */
import * as Effect from "effect/Effect"
import * as Forest from "../forest/Forest.ts"
import type { Node } from "../forest/Node.ts"
import * as NodeText from "../forest/NodeText.ts"
import type { Root } from "../forest/Root.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Summary } from "./api/Conversations.ts"

/** The most conversations in a list. */
const MAX_LISTED = 50

/** Of one conversation. */
export const of = Effect.fnUntraced(function* (root: Root, running: boolean) {
  const forest = yield* Forest.Forest
  const [last] = yield* forest.leaves(1, root.id)
  const nodes = last === undefined ? [] : (yield* forest.path(last.id)).nodes
  return summary(root, nodes, running)
})

export const newest = Effect.fnUntraced(function* (
  { before, search }: { readonly before?: number | undefined; readonly search?: string | undefined },
  isRunning: (root: NodeId) => boolean,
) {
  const forest = yield* Forest.Forest
  const hits =
    search === undefined || search.trim() === ""
      ? yield* forest.leaves(20 * MAX_LISTED)
      : yield* forest.search({ text: search, limit: 20 * MAX_LISTED })
  const roots = new Map<NodeId, Node>()
  for (const node of hits) {
    const isEarlier = before === undefined || node.createdAt < before
    if (isEarlier && !roots.has(node.root) && roots.size < MAX_LISTED) roots.set(node.root, node)
  }
  return yield* Effect.forEach(roots.values(), (node) =>
    Effect.map(forest.path(node.id), ({ nodes, root }) => summary(root, nodes, isRunning(root.id))),
  )
})

const summary = (root: Root, nodes: ReadonlyArray<Node>, running: boolean): Summary => {
  const first = nodes.find(({ source }) => source.type === "user")
  return {
    id: root.id,
    title: first === undefined ? "New conversation" : NodeText.firstWords(first),
    changed: nodes.at(-1)?.createdAt ?? root.createdAt,
    messages: nodes.length,
    running,
  }
}
