/** Lists the descendants of a node, breadth first. Pure. */
import type { NodeId } from "../../message/NodeId.ts"
import { ForestError, Unreadable } from "../ForestError.ts"
import type { Node } from "../Node.ts"

/**
 * Lists the descendants of `id`, down to `depth` levels. `node` is the node of `id`, and comes first; it is undefined
 * for a root. Throws if nodes form a circle.
 */
export const subtree = (
  node: Node | undefined,
  id: NodeId,
  children: (parent: NodeId) => ReadonlyArray<Node>,
  depth: number = Number.POSITIVE_INFINITY,
): ReadonlyArray<Node> => {
  const found = node === undefined ? [] : [node]
  const seen = new Set([id])
  let level: ReadonlyArray<NodeId> = [id]
  for (let left = depth; left > 0 && level.length > 0; left--) {
    const next = level.flatMap(children)
    for (const node of next) {
      if (seen.has(node.id)) throw circularPath(node.id)
      seen.add(node.id)
      found.push(node)
    }
    level = next.map(({ id }) => id)
  }
  return found
}

/** Returns the error for a node that is its own ancestor, which no operation produces. */
export const circularPath = (id: NodeId): ForestError =>
  new ForestError({ reason: new Unreadable({ cause: new Error(`the path of ${id} leads back to it`) }) })
