/** The one error a language model fails with, and the reasons for it. */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Usage from "../message/Usage.ts"

const said = { message: Schema.String }
const retryAfter = { retryAfter: Schema.optional(Schema.DurationFromMillis) }

/** The provider asks us to slow down; waiting helps. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", { ...said, ...retryAfter }) {}

/** A day's quota is used up, or this model has none for this key: waiting a minute does not help. */
export class QuotaExhausted extends Schema.TaggedError<QuotaExhausted>()("QuotaExhausted", {
  ...said,
  ...retryAfter,
}) {}

/** The provider is overloaded or broke: 408, 499, 5xx. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", { ...said, ...retryAfter }) {}

/** The provider was not reached, or the connection broke. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", said) {}

/** The answer ended before the provider had said that it was complete. */
export class StreamIncomplete extends Schema.TaggedError<StreamIncomplete>()("StreamIncomplete", said) {}

/** No key, or one that the provider refuses. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", said) {}

/** The provider does not serve this user as things are: the region, the plan, a server that is not started. */
export class Unsupported extends Schema.TaggedError<Unsupported>()("Unsupported", said) {}

/** Of one that is told words alone, and asked about a picture. */
export const wordsAlone = new Unsupported({ message: "it is told words alone: it cannot be shown a picture" })

/** What the user named or set cannot be used at all: an unknown provider, a key that no header can carry. */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", said) {}

/** There is no such model, or no longer, or not for this key. */
export class ModelNotFound extends Schema.TaggedError<ModelNotFound>()("ModelNotFound", said) {}

/** The request is larger than the model's context, or than its provider lets through. */
export class ContextOverflow extends Schema.TaggedError<ContextOverflow>()("ContextOverflow", said) {}

/** The provider refuses the request as it is. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", said) {}

/** The provider blocked the prompt or the answer: safety, recitation, refusal. */
export class Blocked extends Schema.TaggedError<Blocked>()("Blocked", said) {}

/** The answer was complete and of no use: it held a call that cannot be read, or must not run. */
export class Unusable extends Schema.TaggedError<Unusable>()("Unusable", {
  ...said,
  /** What to tell the model when asking again. */
  correction: Schema.String,
}) {}

/** The answer was complete, and there was nothing in it. */
export class Empty extends Schema.TaggedError<Empty>()("Empty", {}) {
  readonly correction = "Your last answer was empty. Call tools, or answer in words, if only to say that you are done."
  override get message() {
    return "the answer was empty"
  }
}

/** The output limit cut the answer off where it cannot stand: before its first word, or within a tool call. */
export class OutputLimit extends Schema.TaggedError<OutputLimit>()("OutputLimit", {
  ...said,
  /** What to tell the model when asking again, where that may help. */
  correction: Schema.optional(Schema.String),
}) {}

/** The answer was not complete within the time that whoever asked had set. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", said) {}

/** The program that was to answer ended otherwise than well. */
export class ProgramFailed extends Schema.TaggedError<ProgramFailed>()("ProgramFailed", {
  ...said,
  /** One of the two: its exit code, or the name of the signal that killed it. */
  code: Schema.optional(Schema.Number),
  signal: Schema.optional(Schema.String),
}) {}

/** The next call would use up more than the run may: see `Budget`. */
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
  /** `provider/name`, as the user wrote it. */
  model: Schema.String,
  reason: Reason,
  /** What the attempt had cost by then, as far as the provider said. */
  usage: Schema.optionalWith(Usage.Usage, { default: () => Usage.none }),
}) {
  /** The least time the provider wants us to wait, where it said one. */
  get retryAfter(): Duration.Duration | undefined {
    return "retryAfter" in this.reason ? this.reason.retryAfter : undefined
  }

  /** Whether the same request may succeed if it is sent again, as soon as the provider lets it. */
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
