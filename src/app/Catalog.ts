/** The user's catalogue of models: with the models of their configuration, and the table that they have fetched. */
import * as path from "node:path"
import type { ConfigError } from "effect/ConfigError"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { endWith } from "../base/concurrency.ts"
import * as Url from "../base/Url.ts"
import * as NodeFiles from "../code/Files/Node.ts"
import * as AppConfig from "../config/AppConfig.ts"
import * as Sources from "../config/Sources.ts"
import * as UserFiles from "../config/UserFiles.ts"
import * as AtomicFile from "../disk/AtomicFile.ts"
import * as FileSystem from "../disk/FileSystem.ts"
import * as ModelCatalog from "../model/ModelCatalog.ts"
import type { ModelError } from "../model/ModelError.ts"
import * as Fetch from "../process/Fetch.ts"
import * as Providers from "./Providers.ts"

export const make: Effect.Effect<ModelCatalog.Service, ConfigError> = Effect.gen(function* () {
  const entries = yield* AppConfig.models
  const file = yield* UserFiles.modelsFile
  // An invalid address is reported when the table is fetched. The tables on this machine can be read without it.
  const url = yield* Effect.either(AppConfig.modelsUrl)
  return yield* ModelCatalog.make({
    entries: new Map(HashMap.toEntries(entries)),
    supply: {
      stored: Effect.map(
        Effect.transposeOption(Option.map(file, (file) => Effect.option(Effect.try(() => AtomicFile.read(file))))),
        Option.flatten,
      ),
      store: (table) =>
        Option.match(file, {
          onNone: () => ModelCatalog.unreachable("models.dev", "there is no folder to keep it in: HOME is not set"),
          onSome: (file) =>
            Effect.try(() => {
              FileSystem.makeFolder(path.dirname(file))
              AtomicFile.replace(file, table)
            }).pipe(Effect.mapError(() => ModelCatalog.unreachable(file, "cannot be written"))),
        }),
      fetch: Effect.flatMap(url, fetchTable),
    },
  })
})

export const layer: Layer.Layer<ModelCatalog.ModelCatalog, ConfigError> = Layer.effect(ModelCatalog.ModelCatalog, make)

/** The catalogue with the prices of providers; a model on the user's own machine costs nothing. */
const makeWithPrices = Effect.map(make, (catalog) =>
  ModelCatalog.ModelCatalog.of({
    ...catalog,
    find: (id) =>
      Effect.map(catalog.find(id), (entry) => ({ price: Providers.providers.get(id.provider)?.price, ...entry })),
  }),
)

/**
 * Provides prices for the cost of conversations (`vibe loom log`). If the settings are invalid, it uses the prices of
 * the shipped table, so that a conversation can still be read.
 */
export const layerPrices = Layer.effect(ModelCatalog.ModelCatalog, makeWithPrices).pipe(
  Layer.provide(Sources.layer(".")),
  Layer.provide(NodeFiles.layer),
  Layer.orElse(() => ModelCatalog.layer),
)

const TIMEOUT = "30 seconds"

/** A limit of the size of a table in characters: many times the size of thousands of models. */
const MAX_CATALOG_CHARACTERS = 32_000_000

const fetchTable = (url: string): Effect.Effect<ModelCatalog.Fetched, ModelError> => {
  const source = Url.withoutSecrets(url)
  const toError = (message: string) => ModelCatalog.unreachable(source, `${message}; the stored catalogue is kept`)
  return Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: (signal) => download(url, signal),
      catch: (cause) => toError(reason(cause)),
    })
    const catalogue: unknown = yield* Effect.try({ try: () => JSON.parse(text), catch: () => toError("is no JSON") })
    const now = yield* DateTime.now
    return { catalogue, origin: { source, date: DateTime.formatIsoDateUtc(now) } }
  }).pipe(endWith(Effect.zipRight(Effect.sleep(TIMEOUT), toError(`does not answer within ${TIMEOUT}`))))
}

/** Follows up to `redirects` redirects, but only within the origin. */
const download = async (url: string, signal: AbortSignal, redirects = 3): Promise<string> => {
  const response = await Fetch.live(url, { signal, redirect: "manual", headers: { accept: "application/json" } })
  if (Url.isRedirect(response)) {
    await response.body?.cancel()
    const target = Url.redirectTarget(response, url)
    const address = target === undefined ? "another address" : Url.withoutSecrets(target.href)
    if (target === undefined || target.origin !== new URL(url).origin) {
      throw new Error(`redirects to ${address}, which is not followed: if you trust it, set VIBE_MODELS_URL to it`)
    }
    if (redirects === 0) throw new Error(`redirects too often, at last to ${address}`)
    return download(target.href, signal, redirects - 1)
  }
  if (!response.ok) throw new Error(`answers with HTTP ${response.status}`)
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_CATALOG_CHARACTERS) throw new Error("is larger than any catalogue of models")
  }
  return text + decoder.decode()
}

/** Errors of `fetch` say `fetch failed`, and have the reason in their cause. */
const reason = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "cannot be reached"
  return cause.cause instanceof Error ? `cannot be reached: ${cause.cause.message}` : cause.message
}
