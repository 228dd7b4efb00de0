/** Shortens a history that is too long for its model. Pure. */
import * as Option from "effect/Option"
import * as Message from "../../message/Message.ts"

interface Compacted {
  /** The messages, as many as before and in the same order: no call loses its result. */
  readonly messages: ReadonlyArray<Message.Message>
  /** The number of tool results that were left out. */
  readonly leftOut: number
}

/**
 * Replaces long tool results by a placeholder, oldest first, until half of the history is left. Returns `None` if there
 * are no long results: messages of users and models are never shortened.
 */
export const compact = (messages: ReadonlyArray<Message.Message>): Option.Option<Compacted> => {
  const target = lengthOf(messages) / 2
  const shortened = [...messages]
  let length = lengthOf(messages)
  let leftOut = 0
  for (const [index, message] of messages.entries()) {
    if (length <= target) break
    if (message.role !== "tool" || Message.text(message).length < MIN_RESULT_CHARACTERS) continue
    const short = withPlaceholder(message)
    shortened[index] = short
    length -= lengthOf([message]) - lengthOf([short])
    leftOut++
  }
  return leftOut === 0 ? Option.none() : Option.some({ messages: shortened, leftOut })
}

/** The fewest characters of a result that is replaced: for a shorter one the placeholder would save little. */
const MIN_RESULT_CHARACTERS = 200

const withPlaceholder = (result: Message.Tool): Message.Tool => {
  const { length } = Message.text(result)
  return {
    ...result,
    content: [{ type: "text", text: `(left out to make room: ${length} characters; ask again for what is needed)` }],
  }
}

/** Returns the characters of the messages as JSON, since calls and metadata are sent, too. */
const lengthOf = (messages: ReadonlyArray<Message.Message>): number =>
  messages.reduce((length, message) => length + JSON.stringify(message).length, 0)
