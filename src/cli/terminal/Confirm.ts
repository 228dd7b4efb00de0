/** Asks the user to confirm an action that cannot be undone. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

export class Confirm extends Context.Tag("vibe/cli/Confirm")<Confirm, Service>() {}

export interface Service {
  /** Returns whether the answer begins with `y`. Returns `None` without asking if stdin is not a terminal. */
  readonly ask: (question: string) => Effect.Effect<Option.Option<boolean>>
}
