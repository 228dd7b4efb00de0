/** Schedules for repeating requests to a model. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { ModelError } from "./ModelError.ts"
import type * as RetryPolicy from "./RetryPolicy.ts"

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
  { maxRetries, maxWait }: RetryPolicy.Service,
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
  { maxRetries }: RetryPolicy.Service,
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
