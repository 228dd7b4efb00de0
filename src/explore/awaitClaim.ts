/** Waits for the lock of an index. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { IndexError } from "../index/IndexError.ts"

/** Waits for another run to end, and reports its process once. A run that is killed loses its claim. */
export const awaitClaim = <R>(
  claim: Effect.Effect<void, IndexError, R>,
  onWaiting: (process: number | undefined) => Effect.Effect<void>,
): Effect.Effect<void, IndexError, R> =>
  Effect.catchAll(claim, (error) =>
    error.reason._tag === "AtWork"
      ? Effect.zipRight(
          onWaiting(error.reason.process),
          Effect.retry(claim, { while: ({ reason }) => reason._tag === "AtWork", schedule: CLAIM_RETRY }),
        )
      : Effect.fail(error),
  )

const CLAIM_RETRY = Schedule.spaced("200 millis")
