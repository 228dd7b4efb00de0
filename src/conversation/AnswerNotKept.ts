/** The error of an answer that was shown and could not be stored. */
import * as Schema from "effect/Schema"
import { ForestError } from "../forest/ForestError.ts"

export class AnswerNotKept extends Schema.TaggedError<AnswerNotKept>()("AnswerNotKept", { cause: ForestError }) {
  override get message(): string {
    const { message, reason } = this.cause
    const why =
      reason._tag === "NotFound"
        ? `the message that it answers was deleted or undone meanwhile (node ${reason.id})`
        : message
    return `the answer is printed and not kept: ${why}`
  }
}
