/** Everything that a session can fail with. Its own failure is an answer that cannot be stored. */
import type { ConfigError } from "effect/ConfigError"
import * as Schema from "effect/Schema"
import type { GenerateError } from "../agent/GenerateError.ts"
import type { UsageError } from "../base/UsageError.ts"
import type { FileError } from "../code/FileError.ts"
import { ForestError } from "../forest/ForestError.ts"
import type { AmbiguousName, NoSuchNode } from "../forest/NodeName.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { ModelError } from "../model/ModelError.ts"
import type { SessionError } from "./engines/SessionError.ts"
import type { BeadsError } from "./prd/Beads.ts"

export type SessionFailure =
  | AmbiguousName
  | AnswerNotKept
  | BeadsError
  | ConfigError
  | FileError
  | ForestError
  | GenerateError
  | IndexError
  | ModelError
  | NoSuchNode
  | SessionError
  | UsageError

/** Returns true if a failure concerns only the answer, because the message was stored before it. */
export const isMessageStored = (failure: SessionFailure): boolean =>
  "_tag" in failure &&
  ["ModelError", "GenerationAbortedError", "RepeatedCallsError", "ToolIterationLimitExceededError"].includes(
    String(failure._tag),
  )

/** Returns true if the node from which the conversation would continue no longer exists. */
export const isPositionGone = (failure: SessionFailure): boolean => {
  if (!("_tag" in failure)) return false
  const error = failure._tag === "AnswerNotKept" ? failure.cause : failure
  return error._tag === "ForestError" && error.reason._tag === "NotFound"
}

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
