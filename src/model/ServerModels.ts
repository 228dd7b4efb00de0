/**
 * Ports to the models that servers of the user have: a local one, and OpenAI-compatible ones, which
 * list them when they are asked.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import type { ModelId } from "../message/ModelId.ts"
import type { ModelError } from "./ModelError.ts"

export class ServerModels extends Context.Reference<ServerModels>()("vibe/model/ServerModels", {
  defaultValue: (): Service => ({
    all: Effect.succeed([]),
    listedBy: (server) => Effect.succeed({ server, models: Either.right([]) }),
  }),
}) {}

export interface Service {
  /** The lists of all servers that the user has configured, which are asked at the same time. */
  readonly all: Effect.Effect<ReadonlyArray<Listing>>
  /** The list of one server, which may also be a local one at its usual address. Other providers are not asked. */
  readonly listedBy: (server: string) => Effect.Effect<Listing>
}

export interface Listing {
  /** The provider in the ids of the models. */
  readonly server: string
  /**
   * The models in the order of the server, or why it did not answer. The list is empty if the server has none or its
   * key is not set.
   */
  readonly models: Either.Either<ReadonlyArray<ModelId>, ModelError>
}

/** Returns the models of all servers that answered. */
export const answered = (listings: ReadonlyArray<Listing>): ReadonlyArray<ModelId> =>
  listings.flatMap(({ models }) => Either.getOrElse(models, () => []))

export class LocalModels extends Context.Tag("vibe/model/ServerModels/LocalModels")<LocalModels, LocalService>() {}

interface LocalService {
  /** The provider in the ids of the models. */
  readonly provider: string
  /** The models in the order of the server; `None` if no server answers within a second. */
  readonly all: Effect.Effect<Option.Option<ReadonlyArray<ModelId>>>
}
