/** An invalid command line or slash command. */
import * as Schema from "effect/Schema"

export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  message: Schema.String,
  /** The command with the help that describes the arguments; absent for those of `vibe` itself. */
  command: Schema.optional(Schema.String),
  /** True if it is about an input of a session, which no command's help describes. */
  isOfSession: Schema.optional(Schema.Boolean),
}) {}
