/** The explorer outside this process cannot be used, or has ended the run. */
import * as Schema from "effect/Schema"

/**
 * Why it cannot be used, or has ended:
 *
 * - `unreachable`: the database cannot be reached, or is lost for longer than a minute
 * - `unusable`: the database is read-only, full, too old, or of a later vibe
 * - `refused`: this process has another version, clock or setting than the others
 * - `ended`: the run was cancelled, or a worker has ended it
 */
export const Reason = Schema.Literal("unreachable", "unusable", "refused", "ended")
export type Reason = typeof Reason.Type

export class ExplorerError extends Schema.TaggedError<ExplorerError>()("ExplorerError", {
  reason: Reason,
  message: Schema.String,
}) {}
