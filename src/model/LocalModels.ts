/** The models that are installed on a server of the user, which is queried for them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ModelId } from "../message/ModelId.ts"

export class LocalModels extends Context.Tag("vibe/model/LocalModels")<LocalModels, Service>() {}

export interface Service {
  /** The provider in the ids of the models. */
  readonly provider: string
  /** The models in the order of the server; `None` if no server answers within a second. */
  readonly all: Effect.Effect<Option.Option<ReadonlyArray<ModelId>>>
}
