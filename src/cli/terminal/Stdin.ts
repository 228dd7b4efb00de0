/** What is given to the program on its standard input. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { UsageError } from "../../message/UsageError.ts"

export class Stdin extends Context.Tag("vibe/cli/Stdin")<Stdin, Service>() {}

export interface Service {
  /**
   * All of it; none where a person sits at it, who has not been asked, or a program that says nothing. Fails on more
   * than `mostBytes`, which is not read to its end.
   */
  readonly text: Effect.Effect<Option.Option<string>, UsageError>
}

/** More than a million tokens: more than a model can take in. */
export const mostBytes = 4_000_000
