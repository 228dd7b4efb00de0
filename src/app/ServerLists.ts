/** Asks the OpenAI-compatible servers of the user which models they have. */
import type { ConfigError } from "effect/ConfigError"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { endWith } from "../base/concurrency.ts"
import * as ProviderConfig from "../config/ProviderConfig.ts"
import { ModelId } from "../message/ModelId.ts"
import { type CompatibleServer, custom, servers } from "../model/CompatibleServers.ts"
import { ModelError, TimedOut } from "../model/ModelError.ts"

export interface Server {
  /** The server, with the address that the user has set. */
  readonly server: CompatibleServer
  readonly apiKey: Option.Option<Redacted.Redacted>
  /** True if the user has configured the server; a known local server may run without being configured. */
  readonly isConfigured: boolean
}

/** The servers of `[providers.NAME]` by name, then the known local ones. */
export const all: Effect.Effect<ReadonlyArray<Server>, ConfigError> = Effect.gen(function* () {
  const entries = HashMap.toEntries(yield* ProviderConfig.customServers).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const own = yield* Effect.forEach(entries, ([name, { baseUrl, keyVariable }]) =>
    Effect.map(
      keyVariable === undefined ? Effect.succeedNone : ProviderConfig.keyIn(keyVariable),
      (apiKey): Server => ({ server: custom(name, baseUrl, keyVariable), apiKey, isConfigured: true }),
    ),
  )
  const local = yield* Effect.forEach(localServers, (server) =>
    Effect.map(
      ProviderConfig.server(server),
      ({ apiKey, baseUrl }): Server => ({
        server: { ...server, baseUrl: Option.getOrElse(baseUrl, () => server.baseUrl) },
        apiKey,
        isConfigured: Option.isSome(baseUrl),
      }),
    ),
  )
  return [...own, ...local]
})

const localServers = Object.values<CompatibleServer>(servers).filter(({ isLocal }) => isLocal === true)

/** The models that a server lists. A server whose key is not set is not asked. */
export const list = (
  { apiKey, server }: Server,
  timeout: Duration.Duration,
): Effect.Effect<ReadonlyArray<ModelId>, ModelError> =>
  Effect.gen(function* () {
    if (server.keyVariable !== undefined && Option.isNone(apiKey)) return []
    const { listModels } = yield* Effect.promise(() => import("../provider/openai-chat/OpenAiCompatible.ts"))
    const names = yield* listModels({ server, apiKey: Option.getOrUndefined(apiKey) })
    return names.map((name) => new ModelId({ provider: server.name, name }))
  }).pipe(
    endWith(Effect.zipRight(Effect.sleep(timeout), Effect.fail(tooLate))),
    Effect.mapError((reason) => new ModelError({ model: server.name, reason })),
  )

const tooLate = new TimedOut({ message: "does not say in time which models it has" })
