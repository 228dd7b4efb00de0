/** The catalogue of models as this user has it: with entries of their own, and the table they have fetched. */
import * as path from "node:path"
import type { ConfigError } from "effect/ConfigError"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AppConfig from "../config/AppConfig.ts"
import * as UserFiles from "../config/UserFiles.ts"
import * as AtomicFile from "../disk/AtomicFile.ts"
import * as Folder from "../disk/Folder.ts"
import * as Url from "../message/Url.ts"
import * as ModelCatalog from "../model/ModelCatalog.ts"
import type { ModelError } from "../model/ModelError.ts"

export const make: Effect.Effect<ModelCatalog.Service, ConfigError> = Effect.gen(function* () {
  const entries = yield* AppConfig.models
  const file = yield* UserFiles.modelsFile
  // Complained of when it is needed: what is known can be asked all the same.
  const url = yield* Effect.either(AppConfig.modelsUrl)
  return yield* ModelCatalog.make({
    entries: new Map(HashMap.toEntries(entries)),
    supply: {
      kept: Effect.map(
        Effect.transposeOption(Option.map(file, (file) => Effect.option(Effect.try(() => AtomicFile.read(file))))),
        Option.flatten,
      ),
      keep: (table) =>
        Option.match(file, {
          onNone: () => ModelCatalog.unreachable("models.dev", "there is no folder to keep it in: HOME is not set"),
          onSome: (file) =>
            Effect.try(() => {
              Folder.make(path.dirname(file))
              AtomicFile.replace(file, table)
            }).pipe(Effect.mapError(() => ModelCatalog.unreachable(file, "cannot be written"))),
        }),
      fetch: Effect.flatMap(url, fetched),
    },
  })
})

export const layer: Layer.Layer<ModelCatalog.ModelCatalog, ConfigError> = Layer.effect(ModelCatalog.ModelCatalog, make)

/** Beyond this nobody waits for it. */
const patience = "30 seconds"

/** Many times what thousands of models take. */
const maxBytes = 32_000_000

const fetched = (url: string): Effect.Effect<ModelCatalog.Fetched, ModelError> => {
  const source = Url.withoutSecrets(url)
  const failed = (message: string) => ModelCatalog.unreachable(source, `${message}; what was known before stays`)
  return Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: (signal) => download(url, signal),
      catch: (cause) => failed(reason(cause)),
    })
    const catalogue: unknown = yield* Effect.try({ try: () => JSON.parse(text), catch: () => failed("is no JSON") })
    const now = yield* DateTime.now
    return { catalogue, origin: { source, date: DateTime.formatIsoDateUtc(now) } }
  }).pipe(Effect.timeoutFail({ duration: patience, onTimeout: () => failed(`does not answer within ${patience}`) }))
}

/** Follows as many redirects as `redirects`, each within the origin alone. */
const download = async (url: string, signal: AbortSignal, redirects = 3): Promise<string> => {
  const response = await fetch(url, { signal, redirect: "manual", headers: { accept: "application/json" } })
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
    if (text.length > maxBytes) throw new Error("is larger than any catalogue of models")
  }
  return text + decoder.decode()
}

/** Node says `fetch failed`, and why in its cause. */
const reason = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "cannot be reached"
  return cause.cause instanceof Error ? `cannot be reached: ${cause.cause.message}` : cause.message
}
