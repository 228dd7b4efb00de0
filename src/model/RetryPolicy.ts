/** The retry policy: how often and how long failed requests are retried, the same for all models of a run. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

export class RetryPolicy extends Context.Reference<RetryPolicy>()("vibe/model/RetryPolicy", {
  defaultValue: (): Service => ({ maxRetries: 3, maxWait: Duration.seconds(60) }),
}) {}

export interface Service {
  /** The most retries for each kind of reason. With 0 nothing is retried. */
  readonly maxRetries: number
  /**
   * The maximum delay before a retry. If the provider asks for a longer one, the request fails at once, and the error
   * contains that delay.
   */
  readonly maxWait: Duration.Duration
}
