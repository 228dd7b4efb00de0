/**
 * Finds what an id, a call or a branch means in the rows of a forest. Throws a `ForestError` if
 * there is no node or root of an id.
 */

import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { ForestError, IsRoot, NotFound, Unreadable } from "../ForestError.ts"
import type { Reader } from "../ForestStore.ts"
import type { Node, Root } from "../Node.ts"

/** Returns the tree of a node or a root. */
export const treeOf = (rows: Reader, id: NodeId): NodeId => rows.node(id)?.root ?? rootOf(rows, id).id

export const rootOf = (rows: Reader, id: NodeId): Root => rows.root(id) ?? throwMissing(id)

export const nodeOf = (rows: Reader, id: NodeId, operation: IsRoot["operation"]): Node => {
  const node = rows.node(id)
  if (node !== undefined) return node
  if (rows.root(id) === undefined) return throwMissing(id)
  throw new ForestError({ reason: new IsRoot({ id, operation }) })
}

export const throwMissing = (id: NodeId): never => {
  throw new ForestError({ reason: new NotFound({ id }) })
}

/** Returns the node with the call that this node answers. Between the two there are only other answers. */
export const findCallOf = (rows: Reader, { message, parent }: Node): Node | undefined => {
  if (message.role !== "tool") return undefined
  let above = rows.node(parent)
  while (above?.message.role === "tool") above = rows.node(above.parent)
  const isAsked = above !== undefined && Message.toolUses(above.message).some(({ id }) => id === message.tool_call_id)
  return isAsked ? above : undefined
}

/** Returns the node at the end of the path to `id` that has a call without an answer on that path. */
export const findOpenCall = (rows: Reader, id: NodeId): Node | undefined => {
  const answered = new Set<string>()
  let above = rows.node(id)
  while (above?.message.role === "tool") {
    answered.add(above.message.tool_call_id)
    above = rows.node(above.parent)
  }
  const isOpen = above !== undefined && Message.toolUses(above.message).some(({ id }) => !answered.has(id))
  return isOpen ? above : undefined
}

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
