/** Asks the user to confirm what cannot be undone. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

export class Confirm extends Context.Tag("vibe/cli/Confirm")<Confirm, Service>() {}

export interface Service {
  /** Whether the answer begins with `y`; none, without asking, where stdin is not a terminal. */
  readonly ask: (question: string) => Effect.Effect<Option.Option<boolean>>
}
