/** The standard input of the program. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { UsageError } from "../../base/UsageError.ts"

export class Stdin extends Context.Tag("vibe/cli/Stdin")<Stdin, Service>() {}

export interface Service {
  /**
   * The whole input; `None` if stdin is a terminal, or a socket without input. Fails on more than `MAX_BYTES`, without
   * reading the rest.
   */
  readonly text: Effect.Effect<Option.Option<string>, UsageError>
}

/** The most bytes of an input: about a million tokens, more than a model can read. */
export const MAX_BYTES = 4_000_000
