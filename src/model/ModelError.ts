/** The error of language models, and its reasons. */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Usage from "../message/Usage.ts"

const said = { message: Schema.String }
const retryAfter = { retryAfter: Schema.optional(Schema.DurationFromMillis) }

/** There were too many requests; waiting helps. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", { ...said, ...retryAfter }) {}

/** The daily quota is used up, or the key has no quota for this model. Waiting a minute does not help. */
export class QuotaExhausted extends Schema.TaggedError<QuotaExhausted>()("QuotaExhausted", {
  ...said,
  ...retryAfter,
}) {}

/** The provider is overloaded or failed: 408, 499, 5xx. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", { ...said, ...retryAfter }) {}

/** There is no connection to the provider, or it broke. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", said) {}

/** The answer ended before it was complete. */
export class StreamIncomplete extends Schema.TaggedError<StreamIncomplete>()("StreamIncomplete", said) {}

/** There is no key, or the provider rejects it. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", said) {}

/**
 * The provider does not serve this user in this situation, such as the region, the plan, or a server that is not
 * running.
 */
export class Unsupported extends Schema.TaggedError<Unsupported>()("Unsupported", said) {}

/** The reason for a model without image input. */
export const imagesUnsupported = new Unsupported({ message: "the model accepts text only, no images" })

/** A setting of the user cannot be used, such as an unknown provider, or a key that no header can contain. */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", said) {}

/** The model does not exist, no longer exists, or is not available for this key. */
export class ModelNotFound extends Schema.TaggedError<ModelNotFound>()("ModelNotFound", said) {}

/** The request exceeds the model's context, or the provider's maximum size. */
export class ContextOverflow extends Schema.TaggedError<ContextOverflow>()("ContextOverflow", said) {}

/** The provider rejects the request as invalid. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", said) {}

/** The provider blocked the prompt or the answer, for safety or recitation, or as a refusal. */
export class Blocked extends Schema.TaggedError<Blocked>()("Blocked", said) {}

/** The answer was complete but unusable: it contains a call that cannot be parsed or must not run. */
export class Unusable extends Schema.TaggedError<Unusable>()("Unusable", {
  ...said,
  /** The instruction to the model for the next attempt. */
  correction: Schema.String,
}) {}

/** The answer was complete but empty. */
export class Empty extends Schema.TaggedError<Empty>()("Empty", {}) {
  readonly correction = "Your last answer was empty. Call tools, or answer in words, if only to say that you are done."
  override get message() {
    return "the answer was empty"
  }
}

/** The output limit truncated the answer at a point that makes it useless: before its text, or within a tool call. */
export class OutputLimit extends Schema.TaggedError<OutputLimit>()("OutputLimit", {
  ...said,
  /** The instruction to the model for the next attempt. Undefined if none would help. */
  correction: Schema.optional(Schema.String),
}) {}

/** The answer was not complete within the caller's time limit. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", said) {}

/** The program that should answer failed. */
export class ProgramFailed extends Schema.TaggedError<ProgramFailed>()("ProgramFailed", {
  ...said,
  /** The exit code of the program. If a signal killed it, `signal` is its name instead. */
  code: Schema.optional(Schema.Number),
  signal: Schema.optional(Schema.String),
}) {}

/** The next call would exceed the budget of the run. */
export class BudgetReached extends Schema.TaggedError<BudgetReached>()("BudgetReached", said) {}

export const Reason = Schema.Union(
  RateLimited,
  QuotaExhausted,
  Overloaded,
  Unreachable,
  StreamIncomplete,
  Unauthorized,
  Unsupported,
  Misconfigured,
  ModelNotFound,
  ContextOverflow,
  InvalidRequest,
  Blocked,
  Unusable,
  Empty,
  OutputLimit,
  TimedOut,
  ProgramFailed,
  BudgetReached,
)
export type Reason = typeof Reason.Type

export class ModelError extends Schema.TaggedError<ModelError>()("ModelError", {
  /** The model as `provider/name`, as the user wrote it. */
  model: Schema.String,
  reason: Reason,
  /** The usage up to the failure, with that of discarded attempts, as far as the provider reported it. */
  usage: Schema.optionalWith(Usage.Usage, { default: () => Usage.none }),
}) {
  /** The minimum delay that the provider asks for. */
  get retryAfter(): Duration.Duration | undefined {
    return "retryAfter" in this.reason ? this.reason.retryAfter : undefined
  }

  /** True if the identical request may succeed later. */
  get isRetryable(): boolean {
    switch (this.reason._tag) {
      case "RateLimited":
      case "Overloaded":
      case "Unreachable":
      case "StreamIncomplete":
        return true
      default:
        return false
    }
  }

  override get message(): string {
    const wait = this.retryAfter
    const hint =
      wait !== undefined && Duration.greaterThanOrEqualTo(wait, "1 second")
        ? `; it says to try again in ${Duration.format(wait)}`
        : ""
    return `${this.model}: ${this.reason.message}${hint}`
  }
}
