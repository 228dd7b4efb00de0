/** The models there are. Each provider is loaded when one of its models is opened. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as AppConfig from "../config/AppConfig.ts"
import type { ModelId } from "../message/ModelId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import * as ModelEntry from "../model/ModelEntry.ts"
import { Misconfigured, ModelError, type Reason } from "../model/ModelError.ts"
import * as ModelRegistry from "../model/ModelRegistry.ts"
import * as Successor from "../model/Successor.ts"
import type { Known } from "../provider/OpenAiCompatible.ts"

type Open = (id: ModelId) => Effect.Effect<LanguageModel.Service, ConfigError | ModelError>

export const make = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const settings = yield* Effect.configProviderWith(Effect.succeed)
  // Loaded with the first model that is elsewhere: no other has limits that matter.
  const catalog = yield* Effect.promise(() => import("./Catalog.ts")).pipe(
    Effect.flatMap(({ make }) => make),
    Effect.provideService(FileSystem.FileSystem, files),
    Effect.withConfigProvider(settings),
    Effect.cached,
  )
  // Read now, and complained of when it is needed: what is wrong with one provider is nothing to the others.
  const googleSettings = yield* Effect.either(Config.all([AppConfig.googleApiKey, AppConfig.googleBaseUrl]))

  const google: Open = Effect.fnUntraced(function* (id) {
    const [key, url] = yield* googleSettings
    const apiKey = Option.getOrElse(key, () => Redacted.make(""))
    const baseUrl = Option.getOrUndefined(url)
    const Gemini = yield* Effect.promise(() => import("../provider/Gemini.ts"))
    yield* Effect.mapError(Gemini.keyOf(apiKey), failed(id))
    const open = ({ name }: ModelId) => Gemini.make({ apiKey, model: name, baseUrl })
    return { ...Successor.orSuccessor(open(id), open), limits: yield* (yield* catalog).limits(id) }
  })

  const anthropicSettings = yield* Effect.either(Config.all([AppConfig.anthropicApiKey, AppConfig.anthropicBaseUrl]))

  const anthropic: Open = Effect.fnUntraced(function* (id) {
    const [key, url] = yield* anthropicSettings
    const apiKey = Option.getOrElse(key, () => Redacted.make(""))
    const baseUrl = Option.getOrUndefined(url)
    const Anthropic = yield* Effect.promise(() => import("../provider/Anthropic.ts"))
    yield* Effect.mapError(Anthropic.keyOf(apiKey), failed(id))
    const { find } = yield* catalog
    const limits = ModelEntry.limits(yield* find(id), Anthropic.usual)
    const open = ({ name }: ModelId) => Anthropic.make({ apiKey, model: name, baseUrl, maxOutputTokens: limits.output })
    return { ...Successor.orSuccessor(open(id), open), limits }
  })

  /** The server knows the limits of a model itself, and refuses what goes beyond them. */
  const ownLimits = (id: ModelId) =>
    Effect.map(
      Effect.flatMap(catalog, ({ find }) => find(id)),
      (entry) => ModelEntry.limits(entry, { context: Number.POSITIVE_INFINITY, output: Number.POSITIVE_INFINITY }),
    )

  /** One of those who speak as OpenAI does. */
  const chat = (provider: Known): Open =>
    Effect.fnUntraced(function* (id) {
      const { apiKey, baseUrl } = yield* Effect.withConfigProvider(AppConfig.server(provider), settings)
      const OpenAiCompatible = yield* Effect.promise(() => import("../provider/OpenAiCompatible.ts"))
      const dialect = OpenAiCompatible.dialects[provider]
      const options = { dialect, apiKey: Option.getOrUndefined(apiKey), baseUrl: Option.getOrUndefined(baseUrl) }
      yield* Effect.mapError(OpenAiCompatible.keyOf(options), failed(id))
      const limits = yield* dialect.keyVariable === undefined ? ownLimits(id) : (yield* catalog).limits(id)
      return { ...OpenAiCompatible.make({ ...options, model: id.name }), limits }
    })

  /** A server that only the user knows. */
  const custom = ({ baseUrl, keyVariable }: AppConfig.CustomServer): Open =>
    Effect.fnUntraced(function* (id) {
      const key = keyVariable === undefined ? Config.succeed(Option.none()) : AppConfig.keyIn(keyVariable)
      const apiKey = Option.getOrUndefined(yield* Effect.withConfigProvider(key, settings))
      const OpenAiCompatible = yield* Effect.promise(() => import("../provider/OpenAiCompatible.ts"))
      const options = { dialect: OpenAiCompatible.custom(id.provider, baseUrl, keyVariable), apiKey }
      yield* Effect.mapError(OpenAiCompatible.keyOf(options), failed(id))
      return { ...OpenAiCompatible.make({ ...options, model: id.name }), limits: yield* ownLimits(id) }
    })

  const openAiResponses: Open = Effect.fnUntraced(function* (id) {
    const { apiKey: key, baseUrl } = yield* Effect.withConfigProvider(AppConfig.server("openai"), settings)
    const apiKey = Option.getOrElse(key, () => Redacted.make(""))
    const OpenAiResponses = yield* Effect.promise(() => import("../provider/OpenAiResponses.ts"))
    yield* Effect.mapError(OpenAiResponses.keyOf(apiKey), failed(id))
    const limits = yield* (yield* catalog).limits(id)
    return { ...OpenAiResponses.make({ apiKey, model: id.name, baseUrl: Option.getOrUndefined(baseUrl) }), limits }
  })

  const ollama: Open = Effect.fnUntraced(function* (id) {
    const server = yield* Effect.withConfigProvider(ollamaServer, settings)
    const Ollama = yield* Effect.promise(() => import("../provider/Ollama.ts"))
    yield* Effect.mapError(Ollama.placeOf(server), failed(id))
    // One's own machine is paid for; what a server with a key asks is not known.
    const price = server.apiKey === undefined ? { input: 0, output: 0 } : undefined
    return { ...Ollama.make({ ...server, model: id.name }), limits: yield* ownLimits(id), price }
  })

  const offline: Open = () =>
    Effect.map(
      Effect.promise(() => import("../provider/Offline.ts")),
      ({ make }) => make,
    )

  /** `scripted/PATH.json`: a run told beforehand, for demonstrations and tests of the whole program. */
  const scripted: Open = Effect.fnUntraced(function* (id) {
    const Scripted = yield* Effect.promise(() => import("../provider/Scripted.ts"))
    const script = yield* Effect.mapError(files.readFileString(id.name), () =>
      failed(id)(new Misconfigured({ message: "there is no such script, or it cannot be read" })),
    )
    return yield* Scripted.fromJson(id.name, script)
  })

  /** `cli/claude`, `cli/claude/opus`: a program that answers. */
  const cli: Open = Effect.fnUntraced(function* (id) {
    const Agents = yield* Effect.promise(() => import("./Agents.ts"))
    return yield* Effect.withConfigProvider(Agents.open(id), settings)
  })

  const providers = new Map([
    ["google", google],
    ["anthropic", anthropic],
    ["openai", chat("openai")],
    ["openai-responses", openAiResponses],
    ["openrouter", chat("openrouter")],
    ["groq", chat("groq")],
    ["deepseek", chat("deepseek")],
    ["mistral", chat("mistral")],
    ["xai", chat("xai")],
    ["lmstudio", chat("lmstudio")],
    ["llamacpp", chat("llamacpp")],
    ["vllm", chat("vllm")],
    ["ollama", ollama],
    ["offline", offline],
    ["scripted", scripted],
    ["cli", cli],
  ])
  const customServers = yield* Effect.either(AppConfig.customServers)
  const theirs = Either.getOrElse(customServers, () => HashMap.empty<string, AppConfig.CustomServer>())
  const names = [...providers.keys(), ...HashMap.keys(theirs)]
  return ModelRegistry.ModelRegistry.of({
    providers: names,
    open: Effect.fn("ModelRegistry.open")((id) => {
      const message = `there is no provider '${id.provider}'; there are ${names.join(", ")}`
      const open =
        providers.get(id.provider) ?? Option.getOrUndefined(Option.map(HashMap.get(theirs, id.provider), custom))
      const unknown = Effect.zipRight(customServers, Effect.fail(failed(id)(new Misconfigured({ message }))))
      return open?.(id) ?? unknown
    }),
  })
})

/** Needs the file system for scripts, and for what the user has fetched of what is known of models. */
export const layer: Layer.Layer<ModelRegistry.ModelRegistry, never, FileSystem.FileSystem> = Layer.effect(
  ModelRegistry.ModelRegistry,
  make,
)

/** Where Ollama is, and its key where it wants one. */
export const ollamaServer = Config.all([AppConfig.ollamaHost, AppConfig.ollamaApiKey]).pipe(
  Config.map(([host, apiKey]) => ({ host: Option.getOrUndefined(host), apiKey: Option.getOrUndefined(apiKey) })),
)

const failed = (id: ModelId) => (reason: Reason) => new ModelError({ model: String(id), reason })
