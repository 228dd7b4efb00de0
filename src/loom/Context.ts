/** What of a path a model is told. Pure. */
import type * as Message from "../message/Message.ts"

/**
 * The last `limit` messages; all of them where there is no limit. Answers to calls that are not among them are left out,
 * so there may be fewer.
 */
export const takeWindow = (
  messages: ReadonlyArray<Message.Message>,
  limit: number | undefined,
): ReadonlyArray<Message.Message> => {
  if (limit === undefined || messages.length <= limit) return messages
  const last = limit === 0 ? [] : messages.slice(-limit)
  const first = last.findIndex((message) => message.role !== "tool")
  return first === -1 ? [] : last.slice(first)
}
