/** The user's next message after a path, which may end with a message without an answer. Pure. */
import type { Draft, Node } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import { notAnswered } from "./notAnswered.ts"

/**
 * Makes the drafts to store. There are none if the path ends with the same message: one without an answer that is sent
 * again is not stored twice.
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

const userDraft = (content: string, pictures: ReadonlyArray<Block.Image>): Draft => {
  const text = Block.text(content)
  const [first = text, ...rest] = [...pictures, text]
  return { message: { role: "user", content: [first, ...rest] }, source: { type: "user" } }
}

const showsSame = (one: Message.Message, other: Message.Message): boolean => {
  const dataOf = ({ content }: Message.Message) =>
    content.flatMap((block) => (block.type === "image" ? [block.data] : []))
  const [shown, wanted] = [dataOf(one), dataOf(other)]
  return shown.length === wanted.length && shown.every((data, index) => data === wanted[index])
}
