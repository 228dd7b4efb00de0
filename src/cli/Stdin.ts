/** What is given to the program on its standard input. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"

export class Stdin extends Context.Tag("vibe/cli/Stdin")<Stdin, Service>() {}

export interface Service {
  /** All of it; none where a person sits at it, who has not been asked. */
  readonly text: Effect.Effect<Option.Option<string>>
}
