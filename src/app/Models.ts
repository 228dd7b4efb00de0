/** The models there are: opened as their providers do, with what the catalogue knows of them, within the budget. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Files from "../code/Files.ts"
import * as ProviderConfig from "../config/ProviderConfig.ts"
import * as Limits from "../model/Limits.ts"
import * as ModelEntry from "../model/ModelEntry.ts"
import { Misconfigured } from "../model/ModelError.ts"
import * as ModelRegistry from "../model/ModelRegistry.ts"
import { RunBudget } from "../model/RunBudget.ts"
import { Transport } from "../model/Transport.ts"
import * as Providers from "./Providers.ts"

export const make = Effect.gen(function* () {
  const files = yield* Files.Files
  const settings = yield* Effect.configProviderWith(Effect.succeed)
  // Loaded with the first model that there is something to know of.
  const catalog = yield* Effect.promise(() => import("./Catalog.ts")).pipe(
    Effect.flatMap(({ make }) => make),
    Effect.withConfigProvider(settings),
    Effect.cached,
  )
  // Read now, and complained of when it is needed: what is wrong with one server is nothing to the others.
  const customServers = yield* Effect.either(ProviderConfig.customServers)
  const theirs = Either.getOrElse(customServers, () => HashMap.empty<string, ProviderConfig.CustomServer>())
  const names = [...Providers.providers.keys(), ...HashMap.keys(theirs)]
  const providerOf = (name: string): Providers.Provider | undefined =>
    Providers.providers.get(name) ?? Option.getOrUndefined(Option.map(HashMap.get(theirs, name), Providers.custom))

  /** The id of a model that was named without its provider, as far as the catalogue has it. */
  const withProvider = (name: string) =>
    Effect.flatMap(catalog, ({ all }) => all).pipe(
      Effect.map((models) => models.map(({ id }) => id).filter(({ provider }) => names.includes(provider))),
      Effect.map(
        (ids) => ids.find((id) => id.name === name) ?? ids.find((id) => name !== "" && id.name.startsWith(name)),
      ),
      Effect.orElseSucceed(() => undefined),
    )

  return ModelRegistry.ModelRegistry.of({
    providers: names,
    open: Effect.fn("ModelRegistry.open")(
      function* (id) {
        const provider = providerOf(id.provider)
        if (provider === undefined) {
          yield* customServers
          const suggestion = id.provider === id.name ? yield* withProvider(id.name) : undefined
          const hint = suggestion === undefined ? `there are ${names.join(", ")}` : `did you mean '${suggestion}'?`
          const message = `there is no provider '${id.provider}'; ${hint}`
          return yield* Providers.failed(id)(new Misconfigured({ message }))
        }
        const { guard } = yield* RunBudget
        const tape = yield* Transport
        const { usual } = provider
        // What is free and has no limits that matter needs no looking up.
        const isKnown = usual === undefined && provider.price !== undefined
        const entry = isKnown ? {} : yield* Effect.flatMap(catalog, ({ find }) => find(id))
        const limits = usual && ModelEntry.limits(entry, usual)
        const model = yield* provider.open(id, { tape, fetch: tape.fetch(id), limits: limits ?? Limits.unknown })
        const price = entry.price ?? model.price ?? provider.price
        return guard({ ...model, limits: limits ?? model.limits, price })
      },
      Effect.withConfigProvider(settings),
      Effect.provideService(Files.Files, files),
    ),
  })
})

/** Needs the file system for scripts. */
export const layer: Layer.Layer<ModelRegistry.ModelRegistry, never, Files.Files> = Layer.effect(
  ModelRegistry.ModelRegistry,
  make,
)
