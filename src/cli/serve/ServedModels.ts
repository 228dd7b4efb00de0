/**
 * The models that a page offers: those of the catalogue, with the variables that their providers lack, and those that
 * servers of the user list.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ProviderConfig from "../../config/ProviderConfig.ts"
import * as ModelId from "../../message/ModelId.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import * as ModelCatalog from "../../model/ModelCatalog.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as ServerModels from "../../model/ServerModels.ts"
import type * as Served from "../../server/Served.ts"
import * as Failure from "../Failure.ts"

/** Opens models, each once. `first` is open already, or undefined. */
export const make = Effect.fnUntraced(function* (first: LanguageModel.Service | undefined) {
  const registry = yield* ModelRegistry.ModelRegistry
  const catalog = yield* ModelCatalog.ModelCatalog
  const local = yield* ServerModels.LocalModels
  const servers = yield* ServerModels.ServerModels
  const settings = yield* Effect.configProviderWith(Effect.succeed)
  const firsts = first === undefined ? [] : [first]
  const opened = new Map(firsts.map((model) => [String(model.id), model]))

  const openModel: Served.Service["openModel"] = (id) =>
    Effect.suspend(() => {
      const known = opened.get(String(id))
      if (known !== undefined) return Effect.succeed(known)
      return registry.open(id).pipe(
        Effect.withConfigProvider(settings),
        Effect.mapError(Failure.sentenceOnPage),
        Effect.tap((model) => Effect.sync(() => opened.set(String(id), model))),
      )
    })

  const price: Served.Service["price"] = (name) => {
    const known = opened.get(name)
    if (known?.price !== undefined) return Effect.succeed(known.price)
    return Either.match(ModelId.parse(name), {
      onLeft: () => Effect.succeed(undefined),
      onRight: (id) => Effect.map(catalog.find(id), (entry) => entry.price),
    })
  }

  const models: Served.Service["models"] = Effect.gen(function* () {
    const here = Option.getOrElse(yield* local.all, (): ReadonlyArray<ModelId.ModelId> => [])
    const keys = yield* ProviderConfig.allKeys
    // The variable that each provider needs; undefined if it is set or none is needed.
    const needs = new Map<string, string | undefined>()
    for (const name of registry.providers) {
      const key = keys.get(name)
      const isMissing = key !== undefined && Option.isNone(yield* key.key)
      // Only the local server says which of its models are there.
      if (name !== local.provider) needs.set(name, isMissing ? key.name : undefined)
    }
    const known = (yield* catalog.all).filter(({ id }) => needs.has(id.provider))
    const certain = [...firsts.map(({ id }) => id), ...here, ...ServerModels.answered(yield* servers.all)]
    const usable = new Set(certain.map(String))
    const ids = new Map([...certain, ...known.map(({ id }) => id)].map((id) => [String(id), id]))
    return yield* Effect.forEach(ids, ([name, id]) =>
      Effect.map(catalog.find(id), ({ context, deprecation, price }): Served.ModelSummary => {
        const missing = usable.has(name) ? undefined : needs.get(id.provider)
        return {
          id: name,
          usable: missing === undefined,
          ...(missing !== undefined && { needs: missing }),
          ...(context !== undefined && { context }),
          ...(price !== undefined && { input: price.input, output: price.output }),
          ...(deprecation !== undefined && { deprecation }),
        }
      }),
    )
  }).pipe(
    Effect.withConfigProvider(settings),
    Effect.catchAll(() => Effect.succeed(firsts.map(({ id }) => ({ id: String(id), usable: true })))),
  )

  return { openModel, price, models }
})
