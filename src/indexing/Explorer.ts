/** What explains the open symbols of an index: models that this process asks, or, in another adapter, workers elsewhere. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as BatchRun from "./BatchRun.ts"

/** By default this process asks, and nothing else is loaded. */
export class Explorer extends Context.Reference<Explorer>()("vibe/indexing/Explorer", {
  defaultValue: (): Service => ({ explain: BatchRun.run }),
}) {}

export interface Service {
  /** Explains what is open, and stores each purpose before it counts as explained. */
  readonly explain: (settings: BatchRun.Settings) => Effect.Effect<BatchRun.Outcome, BatchRun.Failure>
}
