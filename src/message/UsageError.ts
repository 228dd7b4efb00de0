/** A request of the user's that cannot be carried out as it stands: wrong arguments, or a wrong slash command. */
import * as Schema from "effect/Schema"

export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  message: Schema.String,
  /** The command of the command line whose help tells more; none where no command line is wrong. */
  command: Schema.optional(Schema.String),
}) {}
