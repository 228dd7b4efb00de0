/**
 * Taking nodes away (REQUIREMENTS E-6, E-82). Providers refuse a call without its answers and an answer without its call,
 * so what lets the rest of a conversation stand takes neither alone.
 */
import * as Message from "../../message/Message.ts"
import { Answering, Bookmarked, ForestError } from "../ForestError.ts"
import type { Reader } from "../ForestStore.ts"
import type { Node } from "../Node.ts"
import type { ChangeRecorder } from "./changeRecorder.ts"
import { subtree } from "./subtree.ts"

/** With all that is below, or with that moved up to the parent. */
export type Strategy = "cascade" | "reparent"

export interface Removed {
  /** Nearest first. */
  readonly nodes: ReadonlyArray<Node>
  /** Those of them that answer the calls of the node that was to be removed, and went with it. */
  readonly answers: ReadonlyArray<Node>
  /** What went with them. */
  readonly bookmarks: ReadonlyArray<string>
}

/** Where bookmarks would go and `isMeant` does not say so, it is refused. */
export const remove = (recorder: ChangeRecorder, node: Node, strategy: Strategy, isMeant: boolean): Removed => {
  const { rows } = recorder
  const call = strategy === "reparent" ? callOf(rows, node) : undefined
  if (call !== undefined) throw new ForestError({ reason: new Answering({ id: node.id, call: call.id }) })
  const answers = strategy === "reparent" ? answersTo(rows, node) : []
  const nodes = strategy === "reparent" ? [node, ...answers] : rows.subtree(node.id)
  const gone = new Set(nodes.map(({ id }) => id))
  const bookmarks = rows.bookmarks().filter((bookmark) => gone.has(bookmark.node))
  const titles = bookmarks.map(({ title }) => title)
  if (titles.length > 0 && !isMeant) throw new ForestError({ reason: new Bookmarked({ id: node.id, titles }) })
  for (const bookmark of bookmarks) recorder.mark(bookmark, undefined)
  if (strategy === "reparent") {
    const left = nodes.flatMap(({ id }) => rows.children(id)).filter(({ id }) => !gone.has(id))
    for (const child of left) recorder.change(child, { ...child, parent: node.parent })
  }
  // From below, so that a node never stands under one that is not there.
  for (const { id } of nodes.toReversed()) recorder.remove(id)
  return { nodes, answers, bookmarks: titles }
}

/** The answers right below a call, one under the other, nearest first; in each branch where there are several. */
const answersTo = (rows: Reader, { id, message }: Node): ReadonlyArray<Node> =>
  Message.toolUses(message).length === 0
    ? []
    : subtree(undefined, id, (parent) => rows.children(parent).filter(({ message }) => message.role === "tool"))

/** The node whose call it answers: between the two there is nothing but other answers. */
const callOf = (rows: Reader, { id, message }: Node): Node | undefined => {
  if (message.role !== "tool") return undefined
  const asking = rows.path(id).findLast(({ message }) => message.role !== "tool")
  const isAsked = asking !== undefined && Message.toolUses(asking.message).some(({ id }) => id === message.tool_call_id)
  return isAsked ? asking : undefined
}
