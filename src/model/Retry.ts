/**
 * When failed requests to a model are repeated: after 2, 4 and 8 seconds by default. `RetryPolicy` limits number and
 * delay, the same for all models of a run.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { ModelError } from "./ModelError.ts"

/** The most retries that can be set, so that a failing provider is not retried for ever. */
export const MAX_RETRIES = 100

/**
 * The largest setting for the number of requests of a run that are under way at a time. It is chosen, not measured: the
 * rate limits of most keys are reached with fewer, and a project that needs more is shared among machines
 * (`docs/cluster.md`).
 */
export const MAX_PARALLEL = 16

/** The limits of retries that a user has set. */
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

/** Called before the delay of each retry. `attempt` counts from 1. */
export type OnRetry = (retry: {
  readonly attempt: number
  readonly delay: Duration.Duration
  readonly error: ModelError
}) => Effect.Effect<void>

/** Describes a retry as `retry 1 in 2s` or `retry 1 at once`. */
export const describe = (attempt: number, delay: Duration.Duration): string =>
  `retry ${attempt} ${Duration.toMillis(delay) < 1 ? "at once" : `in ${Duration.format(delay)}`}`

/**
 * Retries transient failures: by default three times, after 2, 4 and 8 seconds, or after as long as the provider asks
 * for if that is longer. The retry policy limits number and delay.
 */
export const retryTransient = (
  { maxRetries, maxWait }: Service,
  announce: OnRetry,
): Schedule.Schedule<unknown, ModelError> =>
  announceRetries(
    Schedule.exponential("2 seconds").pipe(
      Schedule.modifyDelay((_, backoff) => Duration.min(backoff, maxWait)),
      Schedule.intersect(Schedule.recurs(maxRetries)),
      Schedule.map(([, count]) => count),
    ),
    (error) => error.isRetryable && Duration.lessThanOrEqualTo(error.retryAfter ?? Duration.zero, maxWait),
    announce,
  )

/** Retries an answer that was complete but unusable, immediately and up to `times`. */
export const retryUnusable = (
  times: number,
  { maxRetries }: Service,
  announce: OnRetry,
): Schedule.Schedule<unknown, ModelError> =>
  announceRetries(Schedule.recurs(Math.min(times, maxRetries)), () => true, announce)

const announceRetries = (
  schedule: Schedule.Schedule<number>,
  shouldRetry: (error: ModelError) => boolean,
  announce: OnRetry,
): Schedule.Schedule<unknown, ModelError> =>
  Schedule.intersect(schedule, Schedule.identity<ModelError>()).pipe(
    Schedule.whileInput(shouldRetry),
    Schedule.modifyDelayEffect(([count, error], backoff) => {
      const delay = Duration.max(backoff, error.retryAfter ?? Duration.zero)
      return Effect.as(announce({ attempt: count + 1, delay, error }), delay)
    }),
  )
