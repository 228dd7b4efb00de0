/** Moves a branch below another node of its tree, and copies messages below any node. */
import type { NodeId } from "../../message/NodeId.ts"
import { Answering, AwaitsAnswer, BelowItself, ForestError, OtherTree } from "../ForestError.ts"
import type { Reader } from "../ForestStore.ts"
import { isReadable, type Node } from "../Node.ts"
import { appendTree } from "./appendTree.ts"
import type { ChangeRecorder, IdsAndTime } from "./changeRecorder.ts"
import { findCallOf, findOpenCall } from "./lookup.ts"

/** Moves a node with its descendants below a new parent, which is a node or the root of its tree, and returns it. */
export const move = (recorder: ChangeRecorder, node: Node, parent: NodeId): Node => {
  const { rows } = recorder
  if (node.parent === parent) return node
  const root = rows.node(parent)?.root ?? parent
  if (root !== node.root) throw new ForestError({ reason: new OtherTree({ id: node.id, to: parent }) })
  if (isOnPath(rows, node.id, parent)) throw new ForestError({ reason: new BelowItself({ id: node.id, to: parent }) })
  refuseSeparation(rows, node, parent, "move")
  return recorder.move(node, parent)
}

export interface Copied {
  /** The copy of the node. If the node is a root or unreadable, it is the node above its copied descendants. */
  readonly id: NodeId
  /** The number of messages that were copied, and (`known`) of those that existed already. */
  readonly added: number
  readonly known: number
}

/**
 * Copies `nodes` below `parent`, parents before children. The node `id` is among them. Unreadable ones are left out.
 */
export const copy = (
  recorder: ChangeRecorder,
  id: NodeId,
  nodes: ReadonlyArray<Node>,
  to: Pick<Node, "parent" | "root">,
  fresh: IdsAndTime,
): Copied => {
  const [first] = nodes
  if (first !== undefined) refuseSeparation(recorder.rows, first, to.parent, "copy")
  /** An unreadable node uses the index of its nearest readable ancestor. */
  const indexes = new Map<NodeId, number | undefined>()
  let count = 0
  for (const { id, parent, source } of nodes) indexes.set(id, isReadable({ source }) ? count++ : indexes.get(parent))
  const placed = nodes.flatMap(({ createdAt, id, message, parent, source, splitFrom }) =>
    source.type === "unreadable"
      ? []
      : [
          {
            draft: { message, source, createdAt },
            parent: indexes.get(parent),
            // A path may lack the node from which this one was split, and still goes on with the text.
            splitFrom: splitFrom === undefined ? undefined : (indexes.get(splitFrom) ?? indexes.get(id)),
            upTo: source.type === "summary" ? indexes.get(source.upTo) : undefined,
          },
        ],
  )
  const { known, nodes: copies } = appendTree(recorder, to, placed, fresh, true)
  const own = indexes.get(id)
  return { id: (own === undefined ? undefined : copies[own]?.id) ?? to.parent, added: copies.length - known, known }
}

const isOnPath = (rows: Reader, id: NodeId, end: NodeId): boolean => {
  const seen = new Set<NodeId>()
  for (let above = rows.node(end); above !== undefined && !seen.has(above.id); above = rows.node(above.parent)) {
    if (above.id === id) return true
    seen.add(above.id)
  }
  return false
}

/**
 * Fails if a call and its answer would be separated: providers refuse a call without its answer, and an answer without
 * its call.
 */
const refuseSeparation = (rows: Reader, node: Node, parent: NodeId, operation: "move" | "copy"): void => {
  const call = findCallOf(rows, node)
  if (call !== undefined) throw new ForestError({ reason: new Answering({ id: node.id, call: call.id, operation }) })
  const open = findOpenCall(rows, parent)
  if (open !== undefined) throw new ForestError({ reason: new AwaitsAnswer({ id: open.id, operation }) })
}
