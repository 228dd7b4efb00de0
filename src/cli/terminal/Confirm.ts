/** A question that the user answers with yes or no before something that cannot be taken back. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

export class Confirm extends Context.Tag("vibe/cli/Confirm")<Confirm, Service>() {}

export interface Service {
  /** Whether the answer begins with `y`; none, and nothing is asked, where stdin is no terminal. */
  readonly ask: (question: string) => Effect.Effect<Option.Option<boolean>>
}
