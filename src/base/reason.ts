/** Makes the class of a reason that an error has: a tag, and a message that is the same for all its facts. */
import * as Data from "effect/Data"

/**
 * Returns a class to extend, like `Data.TaggedError`, whose instances have this message:
 *
 * ```
 * export class Busy extends reason("Busy", "is in use by another process")<{ readonly process: number }> {}
 * ```
 *
 * If the message contains facts, extend `Data.TaggedError` and override `message`.
 */
export const reason = <const Tag extends string>(
  tag: Tag,
  message: string,
): ReturnType<typeof Data.TaggedError<Tag>> => {
  // Each call makes a class of its own.
  const Reason = Data.TaggedError(tag)
  Object.defineProperty(Reason.prototype, "message", { get: () => message, configurable: true })
  return Reason
}
