/** When to ask a model again. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { ModelError } from "./ModelError.ts"
import type * as RetryPolicy from "./RetryPolicy.ts"

/** Hears of each retry before its wait. `attempt` counts from 1. */
export type OnRetry = (retry: {
  readonly attempt: number
  readonly delay: Duration.Duration
  readonly error: ModelError
}) => Effect.Effect<void>

/**
 * Three retries, after 2 s, 4 s and 8 s (REQUIREMENTS X-17), or as long as the provider asks for where that is
 * longer; none for what waiting cannot mend. How many, and how long at the most, is a matter of patience.
 */
export const retryTransient = (
  { maxRetries, maxWait }: RetryPolicy.Service,
  announce: OnRetry,
): Schedule.Schedule<unknown, ModelError> =>
  announced(
    Schedule.exponential("2 seconds").pipe(
      Schedule.modifyDelay((_, backoff) => Duration.min(backoff, maxWait)),
      Schedule.intersect(Schedule.recurs(maxRetries)),
      Schedule.map(([, count]) => count),
    ),
    (error) => error.isRetryable && Duration.lessThanOrEqualTo(error.retryAfter ?? Duration.zero, maxWait),
    announce,
  )

/** So many more attempts, at once, for an answer that was complete and of no use (FAULTS R5). */
export const retryUnusable = (
  times: number,
  { maxRetries }: RetryPolicy.Service,
  announce: OnRetry,
): Schedule.Schedule<unknown, ModelError> =>
  announced(Schedule.recurs(Math.min(times, maxRetries)), () => true, announce)

const announced = (
  schedule: Schedule.Schedule<number>,
  mends: (error: ModelError) => boolean,
  announce: OnRetry,
): Schedule.Schedule<unknown, ModelError> =>
  Schedule.intersect(schedule, Schedule.identity<ModelError>()).pipe(
    Schedule.whileInput(mends),
    Schedule.modifyDelayEffect(([count, error], backoff) => {
      const delay = Duration.max(backoff, error.retryAfter ?? Duration.zero)
      return Effect.as(announce({ attempt: count + 1, delay, error }), delay)
    }),
  )
