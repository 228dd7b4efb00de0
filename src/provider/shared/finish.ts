/** Interprets the finish reason of an answer, the same way for all providers. Pure. */
import * as Either from "effect/Either"
import type * as Usage from "../../message/Usage.ts"
import type { FinishReason } from "../../message/Usage.ts"
import { Blocked, Overloaded, type Reason } from "../../model/ModelError.ts"
import { Part } from "../../model/Reply.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"

/**
 * - `stop`: complete, or waiting for tool results
 * - `length`, `content_filter`: as in `FinishReason`
 * - `malformed`: the provider could not parse a tool call
 * - `failed`: the provider failed
 * - `other`: anything else, including unknown reasons
 */
export type Finish = "stop" | "length" | "content_filter" | "malformed" | "failed" | "other"

/** The content of an answer as far as it has been received. */
interface ReceivedContent {
  /** True if the answer holds text or an image. */
  readonly hasContent: boolean
  readonly hasToolCall: boolean
  /** True if the answer holds a tool call that cannot be parsed. */
  readonly hasMalformedCall: boolean
  readonly usage: Usage.Usage
}

/**
 * Returns the finish part of an answer, or why it cannot be used. `words` is the finish reason in the provider's own
 * term.
 */
export const toFinishPart = (finish: Finish, words: string, received: ReceivedContent): Either.Either<Part, Reason> =>
  Either.map(interpretFinish(finish, words, received), (reason) => Part.Finish({ reason, usage: received.usage }))

const interpretFinish = (
  ending: Finish,
  words: string,
  { hasToolCall, hasMalformedCall, hasContent, usage }: ReceivedContent,
): Either.Either<FinishReason, Reason> => {
  switch (ending) {
    case "stop":
      return hasMalformedCall
        ? Either.left(UnusableAnswer.malformedCall(words))
        : Either.right(hasToolCall ? "tool_calls" : "stop")
    case "length":
      if (hasToolCall || hasMalformedCall) return Either.left(UnusableAnswer.cutInToolCall)
      return hasContent ? Either.right("length") : Either.left(UnusableAnswer.emptyAtLimit(usage))
    case "content_filter":
      return Either.left(new Blocked({ message: `blocked: ${words}` }))
    case "malformed":
      return Either.left(UnusableAnswer.malformedCall(words))
    case "failed":
      return Either.left(new Overloaded({ message: `the provider broke off: ${words}` }))
    case "other":
      // The text is kept, with finish reason `error`, but tool calls are not run.
      return hasContent && !hasToolCall && !hasMalformedCall
        ? Either.right("error")
        : Either.left(UnusableAnswer.stoppedWithoutAnswer(words))
  }
}
