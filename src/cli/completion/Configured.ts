/** The names that the user's configuration defines, for completion: a port, so that settings are only read for a name. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class Configured extends Context.Tag("vibe/cli/completion/Configured")<Configured, Service>() {}

/** If settings are invalid, only the names of vibe itself are offered. */
export interface Service {
  /** The ids of the models of the catalogue, as `vibe models` lists them. */
  readonly models: Effect.Effect<ReadonlyArray<string>>
  /** The ids of the models that Ollama has pulled; empty if it is on another machine, or does not answer at once. */
  readonly pulledModels: Effect.Effect<ReadonlyArray<string>>
  /**
   * The ids that begin with `prefix` of the models that servers of the user list. A server is asked only if its models may be
   * meant, and one on another machine only if `prefix` names it.
   */
  readonly listedModels: (prefix: string) => Effect.Effect<ReadonlyArray<string>>
  /** The names of `[agents.NAME]`. */
  readonly agents: Effect.Effect<ReadonlyArray<string>>
  /** The names of `[presets.NAME]`. */
  readonly presets: Effect.Effect<ReadonlyArray<string>>
}
