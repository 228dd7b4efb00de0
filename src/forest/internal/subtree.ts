/** The descendants of a node, breadth first. Pure. */
import type { NodeId } from "../../message/NodeId.ts"
import { ForestError, Unreadable } from "../ForestError.ts"
import type { Node } from "../Node.ts"

/** `node` is that of `id`, and comes first; undefined for a root. Down to `depth` levels. Throws where nodes form a circle. */
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

/** A node is its own ancestor, which no operation produces. */
export const circularPath = (id: NodeId): ForestError =>
  new ForestError({ reason: new Unreadable({ cause: new Error(`the path of ${id} leads back to it`) }) })
