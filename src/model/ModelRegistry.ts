/**
 * The port from a model id to the model. Its implementation in `app/` imports the code of a provider only when one of
 * its models is opened.
 */
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ModelId } from "../message/ModelId.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import type { ModelInfo } from "./ModelCatalog.ts"
import type { ModelError } from "./ModelError.ts"

export class ModelRegistry extends Context.Tag("vibe/model/ModelRegistry")<ModelRegistry, Service>() {}

export interface Service {
  /** The names of the providers, as in model ids. */
  readonly providers: ReadonlyArray<string>
  /**
   * Opens a model. Fails with `Unauthorized` if a key is missing. Fails with `Misconfigured` or a `ConfigError` if the
   * provider is unknown or its settings are invalid. Settings of other providers are not read.
   */
  readonly open: (id: ModelId) => Effect.Effect<LanguageModel.Service, ConfigError | ModelError>
  /** The models of the catalogue, sorted by id. The first call loads its tables. */
  readonly known: Effect.Effect<ReadonlyArray<ModelInfo>, ConfigError>
}
