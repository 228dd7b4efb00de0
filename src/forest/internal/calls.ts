/** Finds tool calls and their answers on a path. Pure except for the rows that it reads. */
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type { Reader } from "../ForestStore.ts"
import type { Node } from "../Node.ts"

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
