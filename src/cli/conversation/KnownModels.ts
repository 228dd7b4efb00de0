/** The models that `/model` offers. */
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as ProviderConfig from "../../config/ProviderConfig.ts"
import { inUse, type KnownModel } from "../../conversation/slash/Model.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { ModelInfo } from "../../model/ModelCatalog.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as ServerModels from "../../model/ServerModels.ts"

/**
 * Lists the models that answer in text, of all providers. Models on a server of the user, or of a provider that the
 * user has configured, come first, then those of providers with a key, then the others; of both the deprecated ones are
 * last. The list includes `opened`, with which the session starts, so that the user can come back to one that is not
 * known. If settings are invalid, it has no others; opening a model reports that.
 */
export const all = Effect.fnUntraced(function* (opened: LanguageModel.Service) {
  const registry = yield* ModelRegistry.ModelRegistry
  const local = yield* ServerModels.LocalModels
  const servers = yield* ServerModels.ServerModels
  const withOpened = (models: ReadonlyArray<KnownModel>): ReadonlyArray<KnownModel> =>
    models.some(({ id }) => String(id) === String(opened.id)) ? models : [inUse(opened), ...models]
  const settings = yield* Effect.configProviderWith(Effect.succeed)
  return yield* Effect.gen(function* () {
    const obstacles = yield* missingKeys(registry.providers)
    const pulled = Option.getOrElse(yield* local.all, () => [])
    const listed = ServerModels.answered(yield* servers.all)
    const own = yield* ProviderConfig.customServers
    const known = (yield* registry.known)
      .filter(({ id }) => registry.providers.includes(id.provider) && id.provider !== local.provider)
      .filter(answersInText)
      .map((model): KnownModel => ({ ...model, obstacle: obstacles.get(model.id.provider) }))
    const inCatalogue = new Set(known.map(({ id }) => String(id)))
    const configured = known.filter(({ id }) => HashMap.has(own, id.provider))
    const models = known.filter(({ id }) => !HashMap.has(own, id.provider))
    return withOpened([
      ...[...pulled, ...listed.filter((id) => !inCatalogue.has(String(id)))].map(
        (id): KnownModel => ({ id, entry: {}, obstacle: undefined }),
      ),
      ...configured,
      ...deprecatedLast(models.filter(({ obstacle }) => obstacle === undefined)),
      ...deprecatedLast(models.filter(({ obstacle }) => obstacle !== undefined)),
    ])
  }).pipe(
    Effect.withConfigProvider(settings),
    Effect.orElseSucceed(() => withOpened([])),
    // The list is asked for at each key press after `/model `.
    Effect.cachedWithTTL("1 minute"),
  )
})

/** Puts deprecated models last: by their names the oldest ones of a provider often come first. */
const deprecatedLast = (models: ReadonlyArray<KnownModel>): ReadonlyArray<KnownModel> => {
  const isDeprecated = ({ entry }: KnownModel) => entry.deprecation !== undefined
  return [...models.filter((model) => !isDeprecated(model)), ...models.filter(isDeprecated)]
}

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
