/** A command that the user types after a slash. */
import type * as Effect from "effect/Effect"
import type { Next, Session } from "../Session.ts"
import type { SessionFailure } from "../SessionFailure.ts"
import type { CommandName } from "../View.ts"

export interface SlashCommand extends CommandName {
  readonly aliases?: ReadonlyArray<string> | undefined
  /** True if the command runs at once, even while an answer is in progress. */
  readonly isImmediate?: boolean | undefined
  /** Runs the command. `argument` is the text after the name, without white space around it. */
  readonly run: (session: Session, argument: string) => Effect.Effect<Next, SessionFailure>
}
