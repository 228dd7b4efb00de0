/**
 * Removes nodes. Providers refuse a tool call without its answers and an answer without its call, so neither is removed
 * alone if the rest of a conversation stays.
 */
import * as Message from "../../message/Message.ts"
import { Answering, Bookmarked, ForestError } from "../ForestError.ts"
import type { Reader } from "../ForestStore.ts"
import type { Node } from "../Node.ts"
import type { ChangeRecorder } from "./changeRecorder.ts"
import { findCallOf, subtree } from "./lookup.ts"

/** `cascade` removes the descendants too, and `reparent` moves the children to the parent. */
export type Strategy = "cascade" | "reparent"

export interface Removed {
  /** The removed nodes, nearest first. */
  readonly nodes: ReadonlyArray<Node>
  /** The removed nodes that answer tool calls of the first one. */
  readonly answers: ReadonlyArray<Node>
  /** The titles of the bookmarks that were removed with them. */
  readonly bookmarks: ReadonlyArray<string>
}

/** Removes a node. Fails with `Bookmarked` if bookmarks would be removed, unless `allowBookmarks`. */
export const remove = (recorder: ChangeRecorder, node: Node, strategy: Strategy, allowBookmarks: boolean): Removed => {
  const { rows } = recorder
  const call = strategy === "reparent" ? findCallOf(rows, node) : undefined
  if (call !== undefined) {
    throw new ForestError({ reason: new Answering({ id: node.id, call: call.id, operation: "delete" }) })
  }
  const answers = strategy === "reparent" ? answersTo(rows, node) : []
  const nodes = strategy === "reparent" ? [node, ...answers] : rows.subtree(node.id)
  const gone = new Set(nodes.map(({ id }) => id))
  const bookmarks = rows.bookmarks().filter((bookmark) => gone.has(bookmark.node))
  const titles = bookmarks.map(({ title }) => title)
  if (titles.length > 0 && !allowBookmarks) throw new ForestError({ reason: new Bookmarked({ id: node.id, titles }) })
  for (const bookmark of bookmarks) recorder.mark(bookmark, undefined)
  if (strategy === "reparent") {
    const left = nodes.flatMap(({ id }) => rows.children(id)).filter(({ id }) => !gone.has(id))
    for (const child of left) recorder.move(child, node.parent)
  }
  // Descendants are removed first, so that no node has a removed parent at any time.
  for (const { id } of nodes.toReversed()) recorder.remove(id)
  return { nodes, answers, bookmarks: titles }
}

/** Returns the answers directly below a call in all branches, each below the one before, nearest first. */
const answersTo = (rows: Reader, { id, message }: Node): ReadonlyArray<Node> =>
  Message.toolUses(message).length === 0
    ? []
    : subtree(undefined, id, (parent) => rows.children(parent).filter(({ message }) => message.role === "tool"))
