/** Messages under a node, each under the one before (REQUIREMENTS E-3, E-27, X-08). */
import type { NodeId } from "../../message/NodeId.ts"
import type { Draft, Node } from "../Node.ts"
import type { Fresh } from "./edit.ts"
import { isEmpty } from "./likeness.ts"
import type { Recording } from "./recording.ts"

/**
 * The nodes of the messages that say something, in order. As long as there is a child that says the same, that is the
 * node; `distinct` makes one of its own of the last all the same.
 */
export const append = (
  { insert, rows }: Recording,
  { parent, root }: Pick<Node, "parent" | "root">,
  drafts: ReadonlyArray<Draft>,
  fresh: Fresh,
  distinct = false,
): ReadonlyArray<Node> => {
  const spoken = drafts.filter(({ message }) => !isEmpty(message))
  const nodes: Array<Node> = []
  let cursor: NodeId = parent
  let isNew = false
  spoken.forEach(({ message, source }, at) => {
    const known = isNew || (distinct && at === spoken.length - 1) ? undefined : rows.alike(cursor, message)
    isNew = known === undefined
    const node = known ?? insert({ id: fresh.id(), root, parent: cursor, message, source, createdAt: fresh.now })
    nodes.push(node)
    cursor = node.id
  })
  return nodes
}
