/** The reasons that a run of the loop ended without a reply. */
import * as Schema from "effect/Schema"
import type { ForestError } from "../forest/ForestError.ts"
import type { ModelError } from "../model/ModelError.ts"

export class GenerationAbortedError extends Schema.TaggedError<GenerationAbortedError>()("GenerationAbortedError", {
  reason: Schema.optional(Schema.String),
}) {
  override get message() {
    return this.reason === undefined ? "Generation aborted" : `Generation aborted: ${this.reason}`
  }
}

/** The error of a run that an aborted signal has ended, with the reason of the signal. */
export const abortedBy = (signal: AbortSignal): GenerationAbortedError =>
  new GenerationAbortedError({ reason: reasonOf(signal) })

/**
 * Returns the reason of a signal. `AbortController.abort()` without a reason gives a `DOMException` that contains none.
 */
const reasonOf = ({ reason }: AbortSignal): string | undefined =>
  reason instanceof DOMException && reason.name === "AbortError"
    ? undefined
    : reason instanceof Error
      ? reason.message
      : String(reason)

export class ToolIterationLimitExceededError extends Schema.TaggedError<ToolIterationLimitExceededError>()(
  "ToolIterationLimitExceededError",
  { limit: Schema.Number },
) {
  override get message() {
    return `Exceeded maximum tool iterations (${this.limit}).`
  }
}

/** The model repeated itself. All replies and results up to the error are stored. */
export class RepeatedCallsError extends Schema.TaggedError<RepeatedCallsError>()("RepeatedCallsError", {
  /** A description of the repeated calls. */
  what: Schema.String,
}) {
  override get message() {
    return `Stopped, since the model repeated itself: ${this.what}.`
  }
}

export class ToolsOnlySupportNSingletonError extends Schema.TaggedError<ToolsOnlySupportNSingletonError>()(
  "ToolsOnlySupportNSingletonError",
  {},
) {
  override get message() {
    return "Tool calling currently only supports n=1"
  }
}

/** An option is out of range. Nothing was stored or sent. */
export class InvalidOptionError extends Schema.TaggedError<InvalidOptionError>()("InvalidOptionError", {
  /** The flaw, such as `n must be a whole number from 1, and is 0`. */
  flaw: Schema.String,
}) {
  override get message() {
    return this.flaw
  }
}

/** The required tool is not among the offered ones. */
export class ToolNotFoundError extends Schema.TaggedError<ToolNotFoundError>()("ToolNotFoundError", {
  name: Schema.String,
}) {
  override get message() {
    return `Tool "${this.name}" not found.`
  }
}

export type GenerateError =
  | GenerationAbortedError
  | InvalidOptionError
  | RepeatedCallsError
  | ToolIterationLimitExceededError
  | ToolNotFoundError
  | ToolsOnlySupportNSingletonError
  | ModelError
  | ForestError
