/** How a model of each provider is opened. An adapter, with its SDK, is loaded with the first of its models. */
import * as path from "node:path"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Url from "../base/Url.ts"
import * as Files from "../code/Files.ts"
import * as AppConfig from "../config/AppConfig.ts"
import * as ProviderConfig from "../config/ProviderConfig.ts"
import type { ModelId } from "../message/ModelId.ts"
import { type CompatibleServer, servers } from "../model/CompatibleServers.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import * as Limits from "../model/Limits.ts"
import type { Price } from "../model/ModelEntry.ts"
import { Misconfigured, ModelError, type Reason } from "../model/ModelError.ts"
import * as Successor from "../model/Successor.ts"
import type * as Transport from "../model/Transport.ts"
import { processEnvironment } from "./OwnProcess.ts"

export interface Provider {
  readonly open: (
    id: ModelId,
    connection: Connection,
  ) => Effect.Effect<LanguageModel.Service, ConfigError | ModelError, Files.Files>
  /** The limits of a model that the catalogue does not know; undefined if limits do not matter for its models. */
  readonly usualLimits?: Limits.Limits | undefined
  /** True if its models run on the user's own machine. */
  readonly isLocal?: boolean | undefined
  /** The price of a model that has none in the catalogue. */
  readonly price?: Price | undefined
}

interface Connection {
  readonly transport: Transport.Service
  /** The `fetch` of the transport for this model. */
  readonly fetch: typeof fetch | undefined
  /** The limits of the model in the catalogue. */
  readonly limits: Limits.Limits
}

export const free: Price = { input: 0, output: 0 }

/**
 * The server itself rejects an input beyond the limits of a model. The output that is asked for has the usual limit.
 */
const ownLimits: Limits.Limits = { context: Number.POSITIVE_INFINITY, output: Limits.unknown.output }

/** A replay needs no key: it was recorded with one. */
export const keyOr = (
  key: Option.Option<Redacted.Redacted>,
  { transport }: Pick<Connection, "transport">,
): Redacted.Redacted => Option.getOrElse(key, () => Redacted.make(transport.replayed === undefined ? "" : STAND_IN))

/** The key of a replay. Every key is redacted from requests, so it must not be a text that occurs in one. */
const STAND_IN = "replayed-without-a-key"

const google: Provider = {
  usualLimits: Limits.unknown,
  open: Effect.fnUntraced(function* (id, connection) {
    const [key, url, vertex] = yield* Config.all([
      ProviderConfig.googleApiKey,
      ProviderConfig.googleBaseUrl,
      ProviderConfig.googleVertex,
    ])
    const options = {
      apiKey: keyOr(key, connection),
      baseUrl: Option.getOrUndefined(url),
      vertex: Option.getOrUndefined(vertex),
      fetch: connection.fetch,
    }
    const Gemini = yield* Effect.promise(() => import("../provider/gemini/Gemini.ts"))
    yield* Effect.mapError(Gemini.keyOf(options), toModelError(id))
    const open = ({ name }: ModelId) => Gemini.make({ ...options, model: name })
    return Successor.withSuccessor(open(id), open)
  }),
}

const anthropic: Provider = {
  usualLimits: Limits.unknownClaude,
  open: Effect.fnUntraced(function* (id, connection) {
    const [key, url] = yield* Config.all([ProviderConfig.anthropicApiKey, ProviderConfig.anthropicBaseUrl])
    const options = {
      apiKey: keyOr(key, connection),
      baseUrl: Option.getOrUndefined(url),
      fetch: connection.fetch,
      maxOutputTokens: connection.limits.output,
    }
    const Anthropic = yield* Effect.promise(() => import("../provider/anthropic/Anthropic.ts"))
    yield* Effect.mapError(Anthropic.keyOf(options.apiKey), toModelError(id))
    const open = ({ name }: ModelId) => Anthropic.make({ ...options, model: name })
    return Successor.withSuccessor(open(id), open)
  }),
}

const openChat = (server: CompatibleServer): Provider["open"] =>
  Effect.fnUntraced(function* (id, connection) {
    const { apiKey, baseUrl } = yield* ProviderConfig.server(server)
    const OpenAiCompatible = yield* Effect.promise(() => import("../provider/openai-chat/OpenAiCompatible.ts"))
    const options = {
      server,
      apiKey: server.keyVariable === undefined ? Option.getOrUndefined(apiKey) : keyOr(apiKey, connection),
      baseUrl: Option.getOrUndefined(baseUrl),
      fetch: connection.fetch,
    }
    yield* Effect.mapError(OpenAiCompatible.keyOf(options), toModelError(id))
    return OpenAiCompatible.make({ ...options, model: id.name })
  })

/** The provider of a known server. A local one is free of charge. */
const chatProvider = (server: CompatibleServer): Provider =>
  server.isLocal === true
    ? { usualLimits: ownLimits, price: free, isLocal: true, open: openChat(server) }
    : { usualLimits: Limits.unknown, open: openChat(server) }

const openAiResponses: Provider = {
  usualLimits: Limits.unknown,
  open: Effect.fnUntraced(function* (id, connection) {
    const { apiKey: key, baseUrl } = yield* ProviderConfig.server(servers.openai)
    const options = { apiKey: keyOr(key, connection), baseUrl: Option.getOrUndefined(baseUrl), fetch: connection.fetch }
    const OpenAiResponses = yield* Effect.promise(() => import("../provider/openai-responses/OpenAiResponses.ts"))
    yield* Effect.mapError(OpenAiResponses.keyOf(options.apiKey), toModelError(id))
    return OpenAiResponses.make({ ...options, model: id.name })
  }),
}

/** The address of Ollama, and its key if it needs one. */
export const ollamaServer = Config.all([ProviderConfig.ollamaHost, ProviderConfig.ollamaApiKey]).pipe(
  Config.map(([host, apiKey]) => ({ host: Option.getOrUndefined(host), apiKey: Option.getOrUndefined(apiKey) })),
)

const ollama: Provider = {
  usualLimits: ownLimits,
  open: Effect.fnUntraced(function* (id, { fetch }) {
    const server = { ...(yield* ollamaServer), fetch }
    const Ollama = yield* Effect.promise(() => import("../provider/ollama/Ollama.ts"))
    yield* Effect.mapError(Ollama.endpointOf(server), toModelError(id))
    const model = Ollama.make({ ...server, model: id.name })
    // A server with a key belongs to someone else: it has its own prices, and serves several requests at a time.
    return server.apiKey === undefined ? { ...model, price: free, isLocal: true } : { ...model, price: undefined }
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

/** The most bytes of a script: more than an answer of any length. */
const MAX_SCRIPT_BYTES = 64_000_000

/** `scripted/PATH.json`: replies from a file, for demonstrations and tests of the program. */
const scripted: Provider = {
  price: free,
  open: Effect.fnUntraced(function* (id) {
    const Scripted = yield* Effect.promise(() => import("../provider/scripted/Scripted.ts"))
    const script = yield* Effect.mapError(
      Files.readAll(path.resolve(id.name), { most: MAX_SCRIPT_BYTES, pipes: true }),
      ({ reason }) => toModelError(id)(new Misconfigured({ message: `the script cannot be used: ${reason.message}` })),
    )
    return yield* Scripted.fromJson(id.name, new TextDecoder().decode(script))
  }),
}

/** `cli/claude`, `cli/claude/opus`: an agent that is a program. */
const cli: Provider = {
  open: Effect.fnUntraced(function* (id, { transport }) {
    const AgentProgram = yield* Effect.promise(() => import("../model/AgentProgram.ts"))
    const CliAgent = yield* Effect.promise(() => import("../provider/agents/CliAgent.ts"))
    const configured = Object.fromEntries(yield* AppConfig.agents)
    const opened = CliAgent.open(id.name, configured, processEnvironment())
    const agent = transport.agent(yield* Effect.mapError(opened, toModelError(id)))
    // Fails if the program is not installed; a replay does not need it.
    yield* agent.ready
    return AgentProgram.toModel(agent)
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

/** A server of the configuration, with the chat completions API of OpenAI. */
export const custom = ({ baseUrl, keyVariable }: ProviderConfig.CustomServer): Provider => ({
  usualLimits: ownLimits,
  isLocal: Url.isLoopback(baseUrl),
  open: Effect.fnUntraced(function* (id, connection) {
    const key = yield* keyVariable === undefined ? Config.succeed(Option.none()) : ProviderConfig.keyIn(keyVariable)
    const OpenAiCompatible = yield* Effect.promise(() => import("../provider/openai-chat/OpenAiCompatible.ts"))
    const options = {
      server: OpenAiCompatible.custom(id.provider, baseUrl, keyVariable),
      apiKey: keyVariable === undefined ? undefined : keyOr(key, connection),
      fetch: connection.fetch,
    }
    yield* Effect.mapError(OpenAiCompatible.keyOf(options), toModelError(id))
    return OpenAiCompatible.make({ ...options, model: id.name })
  }),
})

export const toModelError = (id: ModelId) => (reason: Reason) => new ModelError({ model: String(id), reason })
