/** A history that has grown too long for its model, made shorter. Pure. */
import * as Option from "effect/Option"
import * as Message from "../../message/Message.ts"

export interface Compacted {
  /** As many as before, in their order: no call loses its answer. */
  readonly messages: ReadonlyArray<Message.Message>
  /** How many tool results were left out. */
  readonly leftOut: number
}

/**
 * Has a line in place of long tool results, oldest first, until half of the history is left. `None` where there are
 * none: the words of users and models stay as they are.
 */
export const compact = (messages: ReadonlyArray<Message.Message>): Option.Option<Compacted> => {
  const enough = lengthOf(messages) / 2
  const kept = [...messages]
  let length = lengthOf(messages)
  let leftOut = 0
  for (const [index, message] of messages.entries()) {
    if (length <= enough) break
    if (message.role !== "tool" || Message.text(message).length < worthwhile) continue
    const short = emptied(message)
    kept[index] = short
    length -= lengthOf([message]) - lengthOf([short])
    leftOut++
  }
  return leftOut === 0 ? Option.none() : Option.some({ messages: kept, leftOut })
}

/** In characters; the line that takes the place of a result is shorter. */
const worthwhile = 200

const emptied = (result: Message.Tool): Message.Tool => {
  const { length } = Message.text(result)
  return {
    ...result,
    content: [{ type: "text", text: `(left out to make room: ${length} characters; ask again for what is needed)` }],
  }
}

/** In characters of JSON: calls and metadata are sent, too. */
const lengthOf = (messages: ReadonlyArray<Message.Message>): number =>
  messages.reduce((length, message) => length + JSON.stringify(message).length, 0)
