/** How a model of each provider is opened. An adapter, and the SDK in it, is loaded when one of its models is. */
import * as path from "node:path"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Files from "../code/Files.ts"
import * as ProviderConfig from "../config/ProviderConfig.ts"
import type { ModelId } from "../message/ModelId.ts"
import { type CompatibleServer, servers } from "../model/CompatibleServers.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import * as Limits from "../model/Limits.ts"
import type { Price } from "../model/ModelEntry.ts"
import { Misconfigured, ModelError, type Reason } from "../model/ModelError.ts"
import * as Successor from "../model/Successor.ts"
import type * as Transport from "../model/Transport.ts"

export interface Provider {
  readonly open: (
    id: ModelId,
    wiring: Wiring,
  ) => Effect.Effect<LanguageModel.Service, ConfigError | ModelError, Files.Files>
  /** Taken of a model that nothing is known of; none where models here have no limits that matter. */
  readonly usual?: Limits.Limits | undefined
  /** Of a model whose price nobody knows. */
  readonly price?: Price | undefined
}

export interface Wiring {
  readonly tape: Transport.Service
  /** Of the tape, for this model. */
  readonly fetch: typeof fetch | undefined
  /** As the catalogue has them. */
  readonly limits: Limits.Limits
}

const free: Price = { input: 0, output: 0 }

/** The server knows the limits of a model itself, and refuses what goes beyond them. */
const ownLimits: Limits.Limits = { context: Number.POSITIVE_INFINITY, output: Number.POSITIVE_INFINITY }

/** A key that is not set is nothing to a recording: whoever made it had one. */
const keyOr = (key: Option.Option<Redacted.Redacted>, { tape }: Wiring): Redacted.Redacted =>
  Option.getOrElse(key, () => Redacted.make(tape.replayed === undefined ? "" : standIn))

/** Struck out of what is asked, as keys are: so it is nothing that anybody says. */
const standIn = "replayed-without-a-key"

const google: Provider = {
  usual: Limits.unknown,
  open: Effect.fnUntraced(function* (id, wiring) {
    const [key, url, vertex] = yield* Config.all([
      ProviderConfig.googleApiKey,
      ProviderConfig.googleBaseUrl,
      ProviderConfig.googleVertex,
    ])
    const options = {
      apiKey: keyOr(key, wiring),
      baseUrl: Option.getOrUndefined(url),
      vertex: Option.getOrUndefined(vertex),
      fetch: wiring.fetch,
    }
    const Gemini = yield* Effect.promise(() => import("../provider/gemini/Gemini.ts"))
    yield* Effect.mapError(Gemini.keyOf(options), failed(id))
    const open = ({ name }: ModelId) => Gemini.make({ ...options, model: name })
    return Successor.withSuccessor(open(id), open)
  }),
}

const anthropic: Provider = {
  usual: Limits.unknownClaude,
  open: Effect.fnUntraced(function* (id, wiring) {
    const [key, url] = yield* Config.all([ProviderConfig.anthropicApiKey, ProviderConfig.anthropicBaseUrl])
    const options = {
      apiKey: keyOr(key, wiring),
      baseUrl: Option.getOrUndefined(url),
      fetch: wiring.fetch,
      maxOutputTokens: wiring.limits.output,
    }
    const Anthropic = yield* Effect.promise(() => import("../provider/anthropic/Anthropic.ts"))
    yield* Effect.mapError(Anthropic.keyOf(options.apiKey), failed(id))
    const open = ({ name }: ModelId) => Anthropic.make({ ...options, model: name })
    return Successor.withSuccessor(open(id), open)
  }),
}

const openChat = (server: CompatibleServer): Provider["open"] =>
  Effect.fnUntraced(function* (id, wiring) {
    const { apiKey, baseUrl } = yield* ProviderConfig.server(server)
    const OpenAiCompatible = yield* Effect.promise(() => import("../provider/openai-chat/OpenAiCompatible.ts"))
    const options = {
      server,
      apiKey: server.keyVariable === undefined ? Option.getOrUndefined(apiKey) : keyOr(apiKey, wiring),
      baseUrl: Option.getOrUndefined(baseUrl),
      fetch: wiring.fetch,
    }
    yield* Effect.mapError(OpenAiCompatible.keyOf(options), failed(id))
    return OpenAiCompatible.make({ ...options, model: id.name })
  })

/** The provider of a known server. A local one is free of charge. */
const chatProvider = (server: CompatibleServer): Provider =>
  server.isLocal === true
    ? { usual: ownLimits, price: free, open: openChat(server) }
    : { usual: Limits.unknown, open: openChat(server) }

const openAiResponses: Provider = {
  usual: Limits.unknown,
  open: Effect.fnUntraced(function* (id, wiring) {
    const { apiKey: key, baseUrl } = yield* ProviderConfig.server(servers.openai)
    const options = { apiKey: keyOr(key, wiring), baseUrl: Option.getOrUndefined(baseUrl), fetch: wiring.fetch }
    const OpenAiResponses = yield* Effect.promise(() => import("../provider/openai-responses/OpenAiResponses.ts"))
    yield* Effect.mapError(OpenAiResponses.keyOf(options.apiKey), failed(id))
    return OpenAiResponses.make({ ...options, model: id.name })
  }),
}

/** Where Ollama is, and its key where it wants one. */
export const ollamaServer = Config.all([ProviderConfig.ollamaHost, ProviderConfig.ollamaApiKey]).pipe(
  Config.map(([host, apiKey]) => ({ host: Option.getOrUndefined(host), apiKey: Option.getOrUndefined(apiKey) })),
)

const ollama: Provider = {
  usual: ownLimits,
  open: Effect.fnUntraced(function* (id, { fetch }) {
    const server = { ...(yield* ollamaServer), fetch }
    const Ollama = yield* Effect.promise(() => import("../provider/ollama/Ollama.ts"))
    yield* Effect.mapError(Ollama.endpointOf(server), failed(id))
    // What a server with a key asks is not known.
    return { ...Ollama.make({ ...server, model: id.name }), price: server.apiKey === undefined ? free : undefined }
  }),
}

const offline: Provider = {
  price: free,
  open: () =>
    Effect.map(
      Effect.promise(() => import("../provider/offline/Offline.ts")),
      ({ make }) => make,
    ),
}

/** More than an answer of any length takes. */
const mostScriptBytes = 64_000_000

/** `scripted/PATH.json`: a run told beforehand, for demonstrations and tests of the whole program. */
const scripted: Provider = {
  price: free,
  open: Effect.fnUntraced(function* (id) {
    const Scripted = yield* Effect.promise(() => import("../provider/scripted/Scripted.ts"))
    const script = yield* Effect.mapError(
      Files.readAll(path.resolve(id.name), { most: mostScriptBytes, pipes: true }),
      ({ reason }) => failed(id)(new Misconfigured({ message: `the script cannot be used: ${reason.message}` })),
    )
    return yield* Scripted.fromJson(id.name, new TextDecoder().decode(script))
  }),
}

/** `cli/claude`, `cli/claude/opus`: a program that answers. */
const cli: Provider = {
  open: Effect.fnUntraced(function* (id, { tape }) {
    const Agents = yield* Effect.promise(() => import("./Agents.ts"))
    return yield* Agents.open(id, tape)
  }),
}

export const providers: ReadonlyMap<string, Provider> = new Map([
  ["google", google],
  ["anthropic", anthropic],
  ...Object.values(servers).map((server) => [server.name, chatProvider(server)] as const),
  ["openai-responses", openAiResponses],
  ["ollama", ollama],
  ["offline", offline],
  ["scripted", scripted],
  ["cli", cli],
])

/** A server that only the user knows. */
export const custom = ({ baseUrl, keyVariable }: ProviderConfig.CustomServer): Provider => ({
  usual: ownLimits,
  open: Effect.fnUntraced(function* (id, wiring) {
    const key = yield* keyVariable === undefined ? Config.succeed(Option.none()) : ProviderConfig.keyIn(keyVariable)
    const OpenAiCompatible = yield* Effect.promise(() => import("../provider/openai-chat/OpenAiCompatible.ts"))
    const options = {
      server: OpenAiCompatible.custom(id.provider, baseUrl, keyVariable),
      apiKey: keyVariable === undefined ? undefined : keyOr(key, wiring),
      fetch: wiring.fetch,
    }
    yield* Effect.mapError(OpenAiCompatible.keyOf(options), failed(id))
    return OpenAiCompatible.make({ ...options, model: id.name })
  }),
})

export const failed = (id: ModelId) => (reason: Reason) => new ModelError({ model: String(id), reason })
