/** What explains the open symbols of an index: models that this process asks, or, in another adapter, workers elsewhere. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as BatchRun from "./BatchRun.ts"

/** By default this process asks, and nothing else is loaded. */
export class Explorer extends Context.Reference<Explorer>()("vibe/indexing/Explorer", {
  defaultValue: (): Service => ({ resume: () => Effect.succeed(undefined), explain: BatchRun.run }),
}) {}

export interface Service {
  /**
   * Takes part in what was begun elsewhere, before anything is sent to a model: fails where this process may not, and stores what was
   * answered. Its outcome where nothing is left to do; undefined where what is open still is for `explain`.
   */
  readonly resume: (settings: BatchRun.Settings) => Effect.Effect<BatchRun.Outcome | undefined, BatchRun.Failure>
  /** Explains what is open, and stores each purpose before it counts as explained. */
  readonly explain: (settings: BatchRun.Settings) => Effect.Effect<BatchRun.Outcome, BatchRun.Failure>
}
