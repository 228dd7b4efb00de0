/** The registry of models: opens each by its provider, adds limits and prices of the catalogue, applies the budget. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { endWith, mapInParallel } from "../base/concurrency.ts"
import { cached } from "../base/mutex.ts"
import * as Files from "../code/Files.ts"
import * as ProviderConfig from "../config/ProviderConfig.ts"
import { ModelId } from "../message/ModelId.ts"
import * as Limits from "../model/Limits.ts"
import * as ModelEntry from "../model/ModelEntry.ts"
import { Misconfigured } from "../model/ModelError.ts"
import * as ModelRegistry from "../model/ModelRegistry.ts"
import { RunBudget } from "../model/RunBudget.ts"
import * as ServerModels from "../model/ServerModels.ts"
import { Transport } from "../model/Transport.ts"
import { acceptsConnections } from "../process/acceptsConnections.ts"
import * as Providers from "./Providers.ts"
import * as ServerLists from "./ServerLists.ts"

export const make = Effect.gen(function* () {
  const files = yield* Files.Files
  const settings = yield* Effect.configProviderWith(Effect.succeed)
  // The catalogue is loaded with the first model that is looked up in it.
  const catalog = Effect.promise(() => import("./Catalog.ts")).pipe(
    Effect.flatMap(({ make }) => make),
    Effect.withConfigProvider(settings),
    cached,
  )
  // The servers are read now, and an error is reported when one of them is opened: a mistake in one does not concern
  // other models.
  const customServers = yield* Effect.either(ProviderConfig.customServers)
  const servers = Either.getOrElse(customServers, () => HashMap.empty<string, ProviderConfig.CustomServer>())
  const providers = [...Providers.providers.keys(), ...HashMap.keys(servers)]
  const providerOf = (name: string): Providers.Provider | undefined =>
    Providers.providers.get(name) ?? Option.getOrUndefined(Option.map(HashMap.get(servers, name), Providers.custom))

  /** Adds the provider to the id of a model that was named without it, if the catalogue has the model. */
  const withProvider = (name: string) =>
    Effect.flatMap(catalog, ({ all }) => all).pipe(
      Effect.map((models) => models.map(({ id }) => id).filter(({ provider }) => providers.includes(provider))),
      Effect.map(
        (ids) => ids.find((id) => id.name === name) ?? ids.find((id) => name !== "" && id.name.startsWith(name)),
      ),
      Effect.orElseSucceed(() => undefined),
    )

  return ModelRegistry.ModelRegistry.of({
    providers,
    known: Effect.flatMap(catalog, ({ all }) => all),
    open: Effect.fn("ModelRegistry.open")(
      function* (id) {
        const provider = providerOf(id.provider)
        if (provider === undefined) {
          yield* customServers
          const suggestion = id.provider === id.name ? yield* withProvider(id.name) : undefined
          const hint = suggestion === undefined ? `there are ${providers.join(", ")}` : `did you mean '${suggestion}'?`
          const message = `there is no provider '${id.provider}'; ${hint}`
          return yield* Providers.toModelError(id)(new Misconfigured({ message }))
        }
        const { guard } = yield* RunBudget
        const transport = yield* Transport
        const { usualLimits } = provider
        // A model is not looked up if it is free and its limits do not matter.
        const isKnown = usualLimits === undefined && provider.price !== undefined
        const entry = isKnown ? {} : yield* Effect.flatMap(catalog, ({ find }) => find(id))
        const limits = usualLimits && ModelEntry.limits(entry, usualLimits)
        const model = yield* provider.open(id, {
          transport,
          fetch: transport.fetch(id),
          limits: limits ?? Limits.unknown,
        })
        const price = entry.price ?? model.price ?? provider.price
        const { isLocal = provider.isLocal } = model
        return guard({
          ...model,
          limits: limits ?? model.limits,
          modalities: entry.modalities ?? model.modalities,
          price,
          isLocal,
        })
      },
      Effect.withConfigProvider(settings),
      Effect.provideService(Files.Files, files),
    ),
  })
})

/** The models that Ollama has pulled; an empty list if it does not answer within a second. */
const localModels = Effect.map(Effect.configProviderWith(Effect.succeed), (settings) => ({
  provider: OLLAMA,
  all: Effect.gen(function* () {
    const server = yield* Effect.withConfigProvider(Providers.ollamaServer, settings)
    // The adapter and `fetch` are loaded for an Ollama that runs: most first runs have neither a key nor an Ollama.
    const Address = yield* Effect.promise(() => import("../provider/ollama/Address.ts"))
    const url = yield* Address.parse(server.host ?? "")
    if (!(yield* acceptsConnections(new URL(url)))) return yield* Effect.fail("not running")
    const Ollama = yield* Effect.promise(() => import("../provider/ollama/Ollama.ts"))
    const names = yield* Ollama.listModels(server)
    return names.map((name) => new ModelId({ provider: OLLAMA, name }))
  }).pipe(endWith(Effect.zipRight(Effect.sleep("1 second"), Effect.fail("too late"))), Effect.option),
}))

const OLLAMA = "ollama"

/** The longest wait for one server when models are listed: a server that is not running must not hold up the others. */
const LIST_TIMEOUT = Duration.seconds(2)

/**
 * The models that servers of the user list. The list is empty if settings are invalid, which opening a model reports.
 */
const serverModels = Effect.map(Effect.configProviderWith(Effect.succeed), (settings): ServerModels.Service => {
  const servers = ServerLists.all.pipe(
    Effect.withConfigProvider(settings),
    Effect.orElseSucceed(() => []),
  )
  const listing = (server: ServerLists.Server): Effect.Effect<ServerModels.Listing> =>
    Effect.map(Effect.either(ServerLists.list(server, LIST_TIMEOUT)), (models) => ({
      server: server.server.name,
      models,
    }))
  return {
    all: Effect.flatMap(servers, (servers) =>
      mapInParallel(
        servers.filter(({ isConfigured }) => isConfigured),
        listing,
      ),
    ),
    listedBy: (name) =>
      Effect.flatMap(servers, (servers) => {
        const found = servers.find(({ server }) => server.name === name)
        return found === undefined ? Effect.succeed({ server: name, models: Either.right([]) }) : listing(found)
      }),
  }
})

/** Needs the file system for scripts. */
export const layer: Layer.Layer<
  ModelRegistry.ModelRegistry | ServerModels.LocalModels | ServerModels.ServerModels,
  never,
  Files.Files
> = Layer.effect(ModelRegistry.ModelRegistry, make).pipe(
  Layer.provideMerge(Layer.effect(ServerModels.LocalModels, localModels)),
  Layer.provideMerge(Layer.effect(ServerModels.ServerModels, serverModels)),
)
