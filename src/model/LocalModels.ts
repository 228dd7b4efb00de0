/** The models that stand ready on a server of the user's own: asked of it, not known beforehand. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ModelId } from "../message/ModelId.ts"

export class LocalModels extends Context.Tag("vibe/model/LocalModels")<LocalModels, Service>() {}

export interface Service {
  /** The provider of them, as users write it. */
  readonly provider: string
  /** As the server lists them; none where no server answers within a second. */
  readonly all: Effect.Effect<Option.Option<ReadonlyArray<ModelId>>>
}
