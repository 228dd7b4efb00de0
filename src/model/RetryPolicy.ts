/** How failed requests are retried, the same for all models of a run, and the limits that a user's settings have. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

/** The most retries that can be set, so that a failing provider is not retried for ever. */
export const MAX_RETRIES = 100

/**
 * The largest setting for the number of requests of a run that are under way at a time. It is chosen, not measured: the
 * rate limits of most keys are reached with fewer, and a project that needs more is shared among machines
 * (`docs/cluster.md`).
 */
export const MAX_PARALLEL = 16

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
