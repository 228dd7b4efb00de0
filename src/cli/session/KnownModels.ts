/** The models that `/model` offers. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ProviderConfig from "../../config/ProviderConfig.ts"
import * as LocalModels from "../../model/LocalModels.ts"
import type { ModelInfo } from "../../model/ModelCatalog.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import type { KnownModel } from "../../session/slash/Model.ts"

/**
 * Models that answer in text, of all providers: those on a server of the user, then those of providers with a key, then the
 * others. None where settings are invalid, which opening a model reports.
 */
export const all = Effect.gen(function* () {
  const registry = yield* ModelRegistry.ModelRegistry
  const local = yield* LocalModels.LocalModels
  const settings = yield* Effect.configProviderWith(Effect.succeed)
  return yield* Effect.gen(function* () {
    const obstacles = yield* missingKeys(registry.providers)
    const pulled = Option.getOrElse(yield* local.all, () => [])
    const models = (yield* registry.known)
      .filter(({ id }) => registry.providers.includes(id.provider) && id.provider !== local.provider)
      .filter(answersInText)
      .map((model): KnownModel => ({ ...model, obstacle: obstacles.get(model.id.provider) }))
    return [
      ...pulled.map((id): KnownModel => ({ id, entry: {}, obstacle: undefined })),
      ...models.filter(({ obstacle }) => obstacle === undefined),
      ...models.filter(({ obstacle }) => obstacle !== undefined),
    ]
  }).pipe(
    Effect.withConfigProvider(settings),
    Effect.orElseSucceed((): ReadonlyArray<KnownModel> => []),
    // It is asked for at each key press after `/model `.
    Effect.cachedWithTTL("1 minute"),
  )
})

/** The variables that providers without a key need. */
const missingKeys = Effect.fnUntraced(function* (providers: ReadonlyArray<string>) {
  const wanted = yield* ProviderConfig.allKeys
  const obstacles = new Map<string, string>()
  for (const provider of providers) {
    const key = wanted.get(provider)
    if (key !== undefined && Option.isNone(yield* key.key)) obstacles.set(provider, `needs ${key.name}`)
  }
  return obstacles
})

const answersInText = ({ entry }: ModelInfo): boolean => entry.modalities?.output.includes("text") !== false
