/** What is below a node, nearest first: by level, each in the order of the level above. Pure. */
import type { NodeId } from "../../message/NodeId.ts"
import type { Node } from "../Node.ts"

/** `node` is what `id` names, and comes first; none for a root. `depth` levels below `id` at the most. */
export const subtree = (
  node: Node | undefined,
  id: NodeId,
  children: (parent: NodeId) => ReadonlyArray<Node>,
  depth: number = Number.POSITIVE_INFINITY,
): ReadonlyArray<Node> => {
  const found = node === undefined ? [] : [node]
  let level: ReadonlyArray<NodeId> = [id]
  for (let left = depth; left > 0 && level.length > 0; left--) {
    const next = level.flatMap(children)
    for (const node of next) found.push(node)
    level = next.map(({ id }) => id)
  }
  return found
}
