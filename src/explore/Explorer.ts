/**
 * Explains the open symbols of an index: through models that this process asks or, in another adapter, workers
 * elsewhere.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as BatchRun from "./BatchRun.ts"

/** The default asks from this process and loads nothing else. */
export class Explorer extends Context.Reference<Explorer>()("vibe/explore/Explorer", {
  defaultValue: (): Service => ({ resume: () => Effect.succeed(undefined), explain: BatchRun.run }),
}) {}

export interface Service {
  /**
   * Joins a run that was begun elsewhere, before anything is sent to a model, and stores the answers that were given
   * there. Fails if this process may not join. Returns the outcome if no symbol is open then; otherwise undefined, and
   * `explain` goes on.
   */
  readonly resume: (settings: BatchRun.Settings) => Effect.Effect<BatchRun.Outcome | undefined, BatchRun.Failure>
  /** Explains the open symbols, and stores each purpose before it counts as explained. */
  readonly explain: (settings: BatchRun.Settings) => Effect.Effect<BatchRun.Outcome, BatchRun.Failure>
}
