/** The lock of an index for a run: how a run waits for it, and what other processes see of the run that holds it. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { IndexError } from "../index/IndexError.ts"
import type * as RunProgress from "../index/RunProgress.ts"
import { followRun } from "./followRun.ts"
import type * as IndexObserver from "./IndexObserver.ts"

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

/** Publishes the progress of a run when it begins and then at most once a second, until the scope closes. */
export const publishProgress = Effect.fnUntraced(function* (
  publish: (progress: RunProgress.RunProgress) => Effect.Effect<void>,
  first: RunProgress.RunProgress,
) {
  let progress = first
  let isPublished = false
  const publishChange = Effect.suspend(() => {
    if (isPublished) return Effect.void
    isPublished = true
    return publish(progress)
  })
  yield* publishChange
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep("1 second"), publishChange)))
  const watch: IndexObserver.Watch = (event) =>
    Effect.sync(() => {
      progress = { ...progress, ...followRun(progress, event) }
      isPublished = false
    })
  return watch
})
