/** Joins the parts of a message that an edit or a split has divided between nodes. Pure. */
import type * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { continuesIn, type Node } from "../Node.ts"

/**
 * Returns the message that ends at `end`, from the node at which its text is `text`: an edited node may be a part of a
 * longer message.
 */
export const wholeMessage = (end: Node, text: string, nodeAt: (id: NodeId) => Node | undefined): Message.Message => {
  let message = end.message
  for (let at = end; Message.text(message).length < text.length; ) {
    const before = nodeAt(at.parent)
    if (before === undefined || !continuesIn(before, at)) break
    message = joinMessages(before.message, message)
    at = before
  }
  return message
}

export const joinMessages = (one: Message.Message, next: Message.Message): Message.Message => {
  if (one.role === "user" && next.role === "user") {
    return { role: "user", content: joinContent<Block.Text | Block.Image>(one.content, next.content) }
  }
  return one.role === "assistant" && next.role === "assistant"
    ? { role: "assistant", content: joinContent<Block.Block>(one.content, next.content) }
    : next
}

type Content<B> = readonly [B, ...ReadonlyArray<B>]

/** Joins two contents. The text at the end of one and the text at the beginning of the other become one text. */
const joinContent = <B extends Block.Block>(one: Content<B>, [next, ...rest]: Content<B>): Content<B | Block.Text> => {
  const [first, ...others] = one
  const last = one.at(-1) ?? first
  if (last.type !== "text" || next.type !== "text") return [first, ...others, next, ...rest]
  const text: Block.Text = { type: "text", text: last.text + next.text }
  const [start = text, ...before] = one.slice(0, -1)
  return one.length === 1 ? [text, ...rest] : [start, ...before, text, ...rest]
}
