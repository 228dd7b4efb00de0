/** What can be typed after a slash. */
import type * as Effect from "effect/Effect"
import type { Session } from "../Session.ts"
import type { SessionFailure } from "../SessionFailure.ts"
import type { Next } from "../SessionMode.ts"
import type { CommandName } from "../View.ts"

export interface SlashCommand extends CommandName {
  /** Other names for it. */
  readonly aliases?: ReadonlyArray<string> | undefined
  /** Whether it can be run while an answer is on its way. */
  readonly isImmediate?: boolean | undefined
  /** `words`: what follows the name, without white space around it. */
  readonly run: (session: Session, words: string) => Effect.Effect<Next, SessionFailure>
}
