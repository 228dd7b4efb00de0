/** Turns the name of a model into the model. `app/` knows the providers, and imports an SDK only when it is asked for. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ModelId } from "../message/ModelId.ts"
import type * as LanguageModel from "./LanguageModel.ts"
import type { ModelError } from "./ModelError.ts"

export class ModelRegistry extends Context.Tag("vibe/model/ModelRegistry")<ModelRegistry, Service>() {}

export interface Service {
  /** The providers there are, as users write them. */
  readonly providers: ReadonlyArray<string>
  /** Fails with `Unauthorized` or `Misconfigured` where a key is missing, and with `ModelNotFound` for an unknown provider. */
  readonly open: (id: ModelId) => Effect.Effect<LanguageModel.Service, ModelError>
}
