/** How long to go on with a provider that fails: one answer for all models of a run. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

export class RetryPolicy extends Context.Reference<RetryPolicy>()("vibe/model/RetryPolicy", {
  // REQUIREMENTS X-17; FAULTS, settled.
  defaultValue: (): Service => ({ maxRetries: 3, maxWait: Duration.seconds(60) }),
}) {}

export interface Service {
  /** Requests after the first one, for each reason to make another; 0 for one request, whatever comes of it. */
  readonly maxRetries: number
  /** Before a retry. A provider that asks for more is not waited for: the run fails at once and names the time. */
  readonly maxWait: Duration.Duration
}
