/** Finds the node, the root or the tree of an id, and throws a `ForestError` if there is none. */
import type { NodeId } from "../../message/NodeId.ts"
import { ForestError, IsRoot, NotFound } from "../ForestError.ts"
import type { Reader } from "../ForestStore.ts"
import type { Node } from "../Node.ts"
import type { Root } from "../Root.ts"

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
