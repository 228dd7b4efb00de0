/** Moves a branch below another node of its tree, and copies messages below any node. */
import type { NodeId } from "../../message/NodeId.ts"
import { Answering, AwaitsAnswer, BelowItself, ForestError, OtherTree } from "../ForestError.ts"
import type { Reader } from "../ForestStore.ts"
import { isReadable, type Node } from "../Node.ts"
import { findCallOf, findOpenCall } from "./calls.ts"
import type { ChangeRecorder, IdsAndTime } from "./changeRecorder.ts"
import { digest } from "./messageDigest.ts"

/** The node with its new parent, which is a node or the root of its tree. Its descendants stay below it. */
export const move = (recorder: ChangeRecorder, node: Node, parent: NodeId): Node => {
  const { rows } = recorder
  if (node.parent === parent) return node
  const root = rows.node(parent)?.root ?? parent
  if (root !== node.root) throw new ForestError({ reason: new OtherTree({ id: node.id, to: parent }) })
  if (isOnPath(rows, node.id, parent)) throw new ForestError({ reason: new BelowItself({ id: node.id, to: parent }) })
  refuseSeparation(rows, node, parent, "move")
  return recorder.move(node, parent)
}

/**
 * Copies of `nodes`, parents before children, with what is above the first of each chain below `parent`. A message that
 * is there already is not copied again; unreadable ones are left out. Returns the copies by the ids of the originals.
 */
export const copy = (
  recorder: ChangeRecorder,
  nodes: ReadonlyArray<Node>,
  { parent, root }: Pick<Node, "parent" | "root">,
  fresh: IdsAndTime,
): ReadonlyMap<NodeId, NodeId> => {
  const { insert, rows } = recorder
  const [first] = nodes
  if (first !== undefined) refuseSeparation(rows, first, parent, "copy")
  const copies = new Map<NodeId, NodeId>()
  const used = new Set<NodeId>()
  /** Copies that were not there before: nothing but copies is below them. */
  const added = new Set<NodeId>()
  for (const { createdAt, id, message, parent: above, source, splitFrom } of nodes) {
    const to = copies.get(above) ?? parent
    if (!isReadable({ source })) {
      copies.set(id, to)
      continue
    }
    const equal = added.has(to)
      ? undefined
      : rows
          .children(to)
          .find((child) => !used.has(child.id) && isReadable(child) && digest(child.message).equals(digest(message)))
    const from = splitFrom === undefined ? undefined : copies.get(splitFrom)
    const copied =
      equal ??
      insert({ id: fresh.id(), root, parent: to, message, source, createdAt, ...(from && { splitFrom: from }) })
    if (equal === undefined) added.add(copied.id)
    used.add(copied.id)
    copies.set(id, copied.id)
  }
  return copies
}

const isOnPath = (rows: Reader, id: NodeId, end: NodeId): boolean => {
  const seen = new Set<NodeId>()
  for (let above = rows.node(end); above !== undefined && !seen.has(above.id); above = rows.node(above.parent)) {
    if (above.id === id) return true
    seen.add(above.id)
  }
  return false
}

/** Providers refuse a call without its answer, and an answer without its call. */
const refuseSeparation = (rows: Reader, node: Node, parent: NodeId, operation: "move" | "copy"): void => {
  const call = findCallOf(rows, node)
  if (call !== undefined) throw new ForestError({ reason: new Answering({ id: node.id, call: call.id, operation }) })
  const open = findOpenCall(rows, parent)
  if (open !== undefined) throw new ForestError({ reason: new AwaitsAnswer({ id: open.id, operation }) })
}
