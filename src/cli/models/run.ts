/** Runs `vibe models`. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Catalog from "../../app/Catalog.ts"
import * as Models from "../../app/Models.ts"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as NodeFiles from "../../code/Files/Node.ts"
import * as ProviderConfig from "../../config/ProviderConfig.ts"
import * as Sources from "../../config/Sources.ts"
import type { ModelId } from "../../message/ModelId.ts"
import { servers } from "../../model/CompatibleServers.ts"
import * as ModelCatalog from "../../model/ModelCatalog.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as ServerModels from "../../model/ServerModels.ts"
import * as ChosenModel from "../conversation/ChosenModel.ts"
import * as Failure from "../Failure.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"
import * as ModelCheck from "./ModelCheck.ts"
import * as ModelList from "./ModelList.ts"

export const run = Effect.fn("cli.models")(function* ({ check, filter, json, refresh }: Input) {
  const { err, out } = yield* Screen.Screen
  const words = filter.split(/\s+/).filter((word) => word !== "")
  if (check) return yield* runChecks(words, json)
  const catalog = yield* ModelCatalog.ModelCatalog
  const registry = yield* ModelRegistry.ModelRegistry
  if (refresh) {
    const { date, source } = yield* catalog.refresh
    yield* Screen.line(err, sanitizeLine(`stored the list of ${source} of ${date}`))
  }
  const local = yield* ServerModels.LocalModels
  const here = yield* local.all
  const wanted = yield* ProviderConfig.allKeys
  const providers = yield* Effect.forEach(registry.providers, (name) =>
    provider(name, wanted.get(name), name === local.provider ? here : undefined),
  )
  const named = ModelList.providerNamed(words, providers)
  const own = yield* ServerModels.ServerModels
  const listings = named === undefined ? yield* own.all : [yield* own.listedBy(named.name)]
  const known = yield* withLocal(yield* catalog.all, [
    ...Option.getOrElse(here, () => []),
    ...ServerModels.answered(listings),
  ])
  for (const { models } of listings)
    if (Either.isLeft(models)) yield* Screen.line(err, `vibe: ${ModelCheck.describeFailure(models.left)}`)
  const listed = providers.flatMap(({ key, name }) => (key === "missing" ? [] : [name]))
  const models = known.filter(ModelList.matching(words, listed, named))
  if (models.length === 0 && words.length > 0 && named === undefined) {
    const ids = known.map(({ id }) => id)
    const near = ModelList.nearest(words, registry.providers, ids)
    const hint = near === undefined ? "'vibe models' lists providers and models" : `did you mean '${near}'?`
    return yield* new UsageError({ message: `no model is known by '${words.join(" ")}'; ${hint}`, command: "models" })
  }
  const list = { origin: yield* catalog.origin, providers, models }
  const text =
    named !== undefined
      ? ModelList.providerText(list, named, out.style)
      : words.length > 0
        ? ModelList.foundText(list, words, out.style)
        : ModelList.text(list, out.style)
  yield* Screen.line(out, json ? sanitizeJson(ModelList.object(list)) : text)
  if (models.length < known.length && words.length === 0) {
    const others = known.length - models.length
    yield* Screen.line(err, `${others} models of providers without a key: 'vibe models FILTER' finds them`)
  }
  if (named === undefined) return
  // The other providers have no list, or one that tells the number of their models.
  const isServer = wanted.has(named.name) || Object.hasOwn(servers, named.name)
  if (models.length === 0 && isServer) yield* Screen.line(err, sanitizeLine(ModelCheck.noneKnown(named.name)))
  // Servers that offer models of others name their makers: `openrouter/google/…`.
  const maker = `${named.name}/`
  const elsewhere = known.filter(({ id }) => id.provider !== named.name && ModelList.hasAllWords([maker], id)).length
  if (elsewhere === 0) return
  const offered = `${plural(elsewhere, "model")} of ${named.name} at other providers`
  yield* Screen.line(err, sanitizeLine(`${offered}: 'vibe models ${maker}' finds them`))
})

/** Fails with the first failed check. In JSON each check has its own error as well. */
const runChecks = Effect.fnUntraced(function* (words: ReadonlyArray<string>, json: boolean) {
  const { err, out } = yield* Screen.Screen
  const { checks, unknown } = yield* ModelCheck.checkAll(words)
  if (checks.length === 0) return yield* nothingToCheck(words, unknown)
  for (const provider of unknown) yield* Screen.line(err, sanitizeLine(ModelCheck.noneKnown(provider)))
  const [failure] = checks.flatMap(({ answer }) => (Either.isLeft(answer) ? [answer.left] : []))
  const object = ModelCheck.object(checks)
  if (json && failure !== undefined) return yield* new Failure.DetailedFailure({ failure, others: [], object })
  yield* Screen.line(out, json ? sanitizeJson(object) : ModelCheck.text(checks))
  if (failure !== undefined) return yield* Effect.fail(failure)
})

const nothingToCheck = (words: ReadonlyArray<string>, [unknown]: ReadonlyArray<string>) => {
  const message =
    words.length > 0
      ? `no available provider has a model that matches: ${words.join(" ")}`
      : unknown && ModelCheck.noneKnown(unknown)
  return message === undefined ? ChosenModel.noModel : new UsageError({ message, command: "models" })
}

/** Models on servers of the user come first: they are certainly available. */
const withLocal = (known: ReadonlyArray<ModelCatalog.ModelInfo>, here: ReadonlyArray<ModelId>) =>
  Effect.gen(function* () {
    const catalog = yield* ModelCatalog.ModelCatalog
    const names = new Set(here.map(String))
    const local = yield* Effect.forEach(here, (id) => Effect.map(catalog.find(id), (entry) => ({ id, entry })))
    return [...local, ...known.filter(({ id }) => !names.has(String(id)))]
  })

const provider = (
  name: string,
  wanted: ProviderConfig.Key | undefined,
  here: Option.Option<ReadonlyArray<ModelId>> | undefined,
) =>
  Effect.gen(function* () {
    if (wanted === undefined) {
      const pulled = here && Option.map(here, (models) => models.length)
      return { name, key: "not needed" as const, variable: undefined, pulled }
    }
    const key = Option.isSome(yield* wanted.key) ? ("set" as const) : ("missing" as const)
    return { name, key, variable: wanted.name, pulled: undefined }
  })

export const layer = Models.layer.pipe(
  Layer.provideMerge(Catalog.layer),
  Layer.provideMerge(Sources.layer(".")),
  Layer.provide(NodeFiles.layer),
)
