/** The part of a path that is sent to a model. Pure. */
import * as Conversation from "../forest/Conversation.ts"
import type * as Message from "../message/Message.ts"

/**
 * Returns the last `limit` messages that users and models said, with everything between them. Calls of tools, their
 * results and notices do not count. Returns all messages if there is no limit.
 */
export const takeWindow = (
  messages: ReadonlyArray<Message.Message>,
  limit: number | undefined,
): ReadonlyArray<Message.Message> => {
  if (limit === undefined || messages.length <= limit) return messages
  if (limit === 0) return []
  let said = 0
  for (const [at, message] of Array.from(messages.entries()).reverse()) {
    if (!isSaid(message)) continue
    said += 1
    if (said === limit) return messages.slice(at)
  }
  return messages
}

export const countSaid = (messages: ReadonlyArray<Message.Message>): number => messages.filter(isSaid).length

/** Returns true if a user or a model said the message: it is not a call of a tool, nor a result, nor a notice. */
export const isSaid = (message: Message.Message): boolean => Conversation.isSaid({ message })
