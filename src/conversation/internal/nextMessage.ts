/** The next message of the user: how it is stored, and how it reaches a turn that is in progress. */

import * as Effect from "effect/Effect"
import type * as Forest from "../../forest/Forest.ts"
import type { ForestError } from "../../forest/ForestError.ts"
import type { Draft, Node } from "../../forest/Node.ts"
import * as Block from "../../message/Block.ts"
import * as Message from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"

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

/**
 * Makes a function for the time before each request. It stores the messages that the user has sent in the meantime,
 * unless they are blank. `first` is the message that is answered: while the cursor is still at it, before the first
 * request, nothing is taken.
 */
export const makeSteering =
  (forest: Forest.Service, first: NodeId, take: Effect.Effect<string> = Effect.succeed("")) =>
  (cursor: NodeId): Effect.Effect<ReadonlyArray<Node>, ForestError> =>
    cursor === first
      ? Effect.succeed([])
      : Effect.flatMap(take, (text) =>
          text.trim() === ""
            ? Effect.succeed([])
            : forest.append(cursor, [{ message: Message.user(text), source: { type: "user" } }], { distinct: true }),
        )

/** A notice between a message without an answer and the next one: models read adjacent user messages as one text. */
export const notAnswered: Draft = {
  message: { role: "system", content: [Block.text("[The message above was not answered.]")] },
  source: { type: "notice" },
}
