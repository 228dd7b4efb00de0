/** The part of a path that is sent to a model. Pure. */
import * as Conversation from "../forest/Conversation.ts"
import type * as Message from "../message/Message.ts"

/**
 * The last `limit` messages that users and models said, with what is between them: calls of tools, their results and
 * notices do not count. All of them where there is no limit.
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

/** Whether a user or a model said it: no call of a tool or its result, and no notice. */
export const isSaid = (message: Message.Message): boolean => Conversation.isSaid({ message })
