/** Stores a message of the user, before it is answered: as a node, and once, even if it is sent again. */
import * as Effect from "effect/Effect"
import type * as Forest from "../forest/Forest.ts"
import type { Draft, Node } from "../forest/Node.ts"
import * as Block from "../message/Block.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"

/**
 * Stores the user's message below everything that an earlier turn has left there, and returns its node. A message that
 * is still without an answer is not stored twice. A `distinct` message is a node of its own, even if another
 * conversation has begun with the same one.
 */
export const storeMessage = Effect.fnUntraced(function* (
  forest: Forest.Service,
  cursor: NodeId,
  message: {
    readonly text: string
    readonly pictures?: ReadonlyArray<Block.Image> | undefined
    readonly distinct: boolean
  },
) {
  const { distinct, pictures, text } = message
  const { nodes } = yield* forest.path(cursor, { last: 1 })
  const added = yield* forest.append(cursor, draftsAfter(nodes, text, pictures), { distinct })
  return added.at(-1) ?? nodes.at(-1) ?? (yield* Effect.dieMessage("the forest has stored no node for a message"))
})

/**
 * Makes the drafts of a message to store. There are none if the path ends with the same message: one without an answer
 * that is sent again is not stored twice.
 */
export const draftsAfter = (
  nodes: ReadonlyArray<Node>,
  content: string,
  pictures: ReadonlyArray<Block.Image> = [],
): ReadonlyArray<Draft> => {
  const last = nodes.at(-1)?.message
  const draft = userDraft(content, pictures)
  if (last?.role !== "user") return [draft]
  // A message without pictures means the stored one that has the same text; a message with other pictures is stored
  // anew.
  const isSame = Message.text(last) === content && (pictures.length === 0 || showsSame(last, draft.message))
  return isSame ? [] : [notAnswered, draft]
}

/** Makes the draft of a message. Pictures may come without a text, but a text without pictures is always there. */
export const userDraft = (content: string, pictures: ReadonlyArray<Block.Image> = []): Draft => {
  const text = Block.text(content)
  const [first = text, ...rest] = content.trim() === "" ? pictures : [...pictures, text]
  return { message: { role: "user", content: [first, ...rest] }, source: { type: "user" } }
}

const showsSame = (one: Message.Message, other: Message.Message): boolean => {
  const dataOf = ({ content }: Message.Message) =>
    content.flatMap((block) => (block.type === "image" ? [block.data] : []))
  const [shown, wanted] = [dataOf(one), dataOf(other)]
  return shown.length === wanted.length && shown.every((data, index) => data === wanted[index])
}

/** A notice between a message without an answer and the next one: models read adjacent user messages as one text. */
export const notAnswered: Draft = {
  message: { role: "system", content: [Block.text("[The message above was not answered.]")] },
  source: { type: "notice" },
}
