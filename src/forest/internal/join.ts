/** Joins a message with its only child, the inverse of a split. */
import * as Block from "../../message/Block.ts"
import * as Usage from "../../message/Usage.ts"
import { ForestError, NotJoinable } from "../ForestError.ts"
import { type Node, repliesIn, type Source } from "../Node.ts"
import type { ChangeRecorder, IdsAndTime } from "./changeRecorder.ts"
import { textOf } from "./edit.ts"

/** Returns the child with both texts. It keeps its id and its children, and gets the bookmarks of the node above it. */
export const join = (recorder: ChangeRecorder, node: Node, fresh: IdsAndTime): Node => {
  const { rows } = recorder
  const refuse = (why: NotJoinable["why"]) => new ForestError({ reason: new NotJoinable({ id: node.id, why }) })
  const text = textOf(node, "join")
  const [child, ...others] = rows.children(node.id)
  if (child === undefined) throw refuse("nothing is below it")
  if (others.length > 0) throw refuse("several messages are below it")
  if (child.message.role !== node.message.role) throw refuse("the message below it is of another speaker")
  const source = joinSources(node.source, child.source)
  if (source === undefined) throw refuse("the message below it is of another model")
  const content = [Block.text(text + textOf(child, "join"))] as const
  const message = { role: node.message.role === "user" ? "user" : "assistant", content } as const
  for (const bookmark of rows.bookmarks()) {
    if (bookmark.node === node.id) recorder.mark(bookmark, { ...bookmark, node: child.id, updatedAt: fresh.now })
  }
  const joined = recorder.change(child, { ...child, parent: node.parent, message, source })
  recorder.remove(node.id)
  return joined
}

/** Joins two sources, whose usages both count. Returns undefined for replies of two models. */
const joinSources = (one: Source, other: Source): Source | undefined => {
  if (one.type === "model" && other.type === "model") {
    return one.model === other.model ? { ...other, usage: Usage.add(one.usage, other.usage) } : undefined
  }
  const replaces = [...repliesIn(one), ...repliesIn(other)]
  return replaces.length === 0 ? { type: "user" } : { type: "user", replaces }
}
