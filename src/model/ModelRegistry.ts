/** Turns the name of a model into the model. `app/` knows the providers, and imports an SDK only when it is asked for. */
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ModelId } from "../message/ModelId.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import type { ModelError } from "./ModelError.ts"

export class ModelRegistry extends Context.Tag("vibe/model/ModelRegistry")<ModelRegistry, Service>() {}

export interface Service {
  /** The providers there are, as users write them. */
  readonly providers: ReadonlyArray<string>
  /**
   * Fails with `Unauthorized` where a key is missing, and with `Misconfigured` or a `ConfigError` where the provider is
   * unknown or a setting of it is of no use. What is wrong with other providers is no matter.
   */
  readonly open: (id: ModelId) => Effect.Effect<LanguageModel.Service, ConfigError | ModelError>
}
