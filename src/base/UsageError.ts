/** An invalid command line or slash command. */
import * as Data from "effect/Data"

export class UsageError extends Data.TaggedError("UsageError")<{
  readonly message: string
  /** The command with the help that describes the arguments; absent for those of `vibe` itself. */
  readonly command?: string | undefined
  /** True if it is about an input of a session, which no command's help describes. */
  readonly isOfSession?: boolean | undefined
}> {}
