import * as Effect from "effect/Effect"
import type * as RunProgress from "../../index/RunProgress.ts"
import { followRun } from "../followRun.ts"
import type * as IndexObserver from "../IndexObserver.ts"

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
