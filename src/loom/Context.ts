/** The part of a path that is sent to a model. Pure. */
import type * as Message from "../message/Message.ts"

/**
 * The last `limit` messages; all of them where there is no limit. There may be fewer: the results of calls outside the
 * window are left out.
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
