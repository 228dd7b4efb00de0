/** How an embedder of each provider is opened. An adapter is loaded with the first of its models. */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { cached } from "../base/mutex.ts"
import * as ProviderConfig from "../config/ProviderConfig.ts"
import type { ModelId } from "../message/ModelId.ts"
import { type CompatibleServer, custom, servers } from "../model/CompatibleServers.ts"
import * as Embedder from "../model/Embedder.ts"
import { Misconfigured, type ModelError } from "../model/ModelError.ts"
import { RunBudget } from "../model/RunBudget.ts"
import { Transport } from "../model/Transport.ts"
import { free, keyOr, ollamaServer, toModelError } from "./Providers.ts"

/**
 * Opens an embedder by the settings, with the transport of the caller. It has a price only if it is free of charge;
 * `layer` adds the prices of the catalogue and the budget of the run.
 */
export const open = Effect.fn("Embedders.open")(function* (id: ModelId, wanted: number | undefined) {
  const transport = yield* Transport
  const options = { model: id.name, dimensions: wanted ?? Embedder.defaultDimensions(id), fetch: transport.fetch(id) }
  switch (id.provider) {
    case "google": {
      const [key, url, vertex] = yield* Config.all([
        ProviderConfig.googleApiKey,
        ProviderConfig.googleBaseUrl,
        ProviderConfig.googleVertex,
      ])
      const [Gemini, adapter] = yield* Effect.promise(() =>
        Promise.all([import("../provider/gemini/Gemini.ts"), import("../provider/gemini/GeminiEmbedder.ts")]),
      )
      const google = {
        ...options,
        apiKey: keyOr(key, { transport }),
        baseUrl: Option.getOrUndefined(url),
        vertex: Option.getOrUndefined(vertex),
      }
      yield* Effect.mapError(Gemini.keyOf(google), toModelError(id))
      return adapter.make(google)
    }
    case "ollama": {
      const server = { ...(yield* ollamaServer), ...options }
      const [Ollama, adapter] = yield* Effect.promise(() =>
        Promise.all([import("../provider/ollama/Ollama.ts"), import("../provider/ollama/OllamaEmbedder.ts")]),
      )
      yield* Effect.mapError(Ollama.endpointOf(server), toModelError(id))
      // A server that needs a key is not the user's own machine.
      return server.apiKey === undefined ? { ...adapter.make(server), ...ofOwnMachine } : adapter.make(server)
    }
    default: {
      const server = yield* serverOf(id)
      const { apiKey, baseUrl } = yield* ProviderConfig.server(server)
      const key = isKnown(server) ? apiKey : yield* keyOf(server)
      const [OpenAiCompatible, adapter] = yield* Effect.promise(() =>
        Promise.all([
          import("../provider/openai-chat/OpenAiCompatible.ts"),
          import("../provider/openai-chat/OpenAiEmbedder.ts"),
        ]),
      )
      const compatible = {
        ...options,
        server,
        apiKey: server.keyVariable === undefined ? Option.getOrUndefined(key) : keyOr(key, { transport }),
        baseUrl: isKnown(server) ? Option.getOrUndefined(baseUrl) : undefined,
      }
      yield* Effect.mapError(OpenAiCompatible.keyOf(compatible), toModelError(id))
      const embedder = adapter.make(compatible)
      return server.isLocal === true ? { ...embedder, ...ofOwnMachine } : embedder
    }
  }
})

const ofOwnMachine = { price: free, isLocal: true }

const isKnown = ({ name }: CompatibleServer): boolean => Object.hasOwn(servers, name)

const keyOf = ({ keyVariable }: CompatibleServer) =>
  keyVariable === undefined ? Config.succeed(Option.none()) : ProviderConfig.keyIn(keyVariable)

/** Returns a known server, or one of the configuration. */
const serverOf = (id: ModelId): Effect.Effect<CompatibleServer, ConfigError | ModelError> =>
  Effect.gen(function* () {
    const known = Object.values<CompatibleServer>(servers).find(({ name }) => name === id.provider)
    if (known !== undefined) return known
    const own = yield* ProviderConfig.customServers
    const configured = Option.getOrUndefined(HashMap.get(own, id.provider))
    if (configured !== undefined) return custom(id.provider, configured.baseUrl, configured.keyVariable)
    const names = ["google", "ollama", ...Object.keys(servers), ...HashMap.keys(own)]
    const message = `the provider '${id.provider}' has no embeddings; there are ${names.join(", ")}`
    return yield* toModelError(id)(new Misconfigured({ message }))
  })

/**
 * Opens embedders within the budget of the run, with the prices of the catalogue, which is loaded only for a price that
 * is not known otherwise.
 */
const make = Effect.gen(function* () {
  const settings = yield* Effect.configProviderWith(Effect.succeed)
  const catalog = Effect.promise(() => import("./Catalog.ts")).pipe(
    Effect.flatMap(({ make }) => make),
    Effect.withConfigProvider(settings),
    cached,
  )
  return Embedder.EmbedderRegistry.of({
    open: (id, dimensions) =>
      Effect.gen(function* () {
        const embedder = yield* open(id, dimensions)
        const { guardEmbedder } = yield* RunBudget
        if (embedder.price !== undefined) return guardEmbedder(embedder)
        const { price } = yield* Effect.flatMap(catalog, ({ find }) => find(id))
        return guardEmbedder({ ...embedder, price })
      }).pipe(Effect.withConfigProvider(settings)),
  })
})

export const layer: Layer.Layer<Embedder.EmbedderRegistry> = Layer.effect(Embedder.EmbedderRegistry, make)
