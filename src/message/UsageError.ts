/** An invalid command line or slash command. */
import * as Schema from "effect/Schema"

export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  message: Schema.String,
  /** The command whose help describes the arguments; absent for a slash command. */
  command: Schema.optional(Schema.String),
}) {}
