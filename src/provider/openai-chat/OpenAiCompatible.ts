/** OpenAI and compatible servers, through the Chat Completions API. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { isObject } from "../../base/Json.ts"
import { ModelId } from "../../message/ModelId.ts"
import * as CompatibleServers from "../../model/CompatibleServers.ts"
import { imagesUnsupported, type Misconfigured, type Reason, type Unauthorized } from "../../model/ModelError.ts"
import { hasImage, type Request } from "../../model/Request.ts"
import * as OpenAiClient from "../shared/openAiClient.ts"
import { isAcceptedPlain, toReason } from "../shared/openAiErrors.ts"
import * as TaggedThinking from "../shared/taggedThinking.ts"
import * as Attempt from "../transport/attempt.ts"
import * as Http from "../transport/http.ts"
import * as Wire from "../transport/wire.ts"
import * as ChatReply from "./reply.ts"
import { type Form, makeEncoder } from "./request.ts"

export type CompatibleServer = CompatibleServers.CompatibleServer

/** Known servers, by the provider name in model ids: `openai`, `openrouter`, `groq`, … */
export const servers: Readonly<Record<KnownServer, CompatibleServer>> = CompatibleServers.servers

export type KnownServer = CompatibleServers.KnownServer

/** A server that the user configured. `keyVariable` holds its key, if it requires one. */
export const custom: (name: string, baseUrl: string, keyVariable: string | undefined) => CompatibleServer =
  CompatibleServers.custom

export interface Options {
  readonly server: CompatibleServer
  /** The key as the user set it; `keyOf` validates it. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** The model's name without the provider, such as `gpt-4o-mini`. */
  readonly model: string
  /** The address with the version, without a trailing slash. The default is the address of the server. */
  readonly baseUrl?: string | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Http.Fetch | undefined
}

const adapter = Wire.adapter((options: Options) => {
  const { model, server } = options
  return {
    id: new ModelId({ provider: server.name, name: model }),
    credentials: keyOf(options),
    open: (key: string) => {
      const encode = makeEncoder(server, model)
      const client = makeClient(options, key)
      return (request: Request, form: Form = "full") => ({
        open: client.post("/chat/completions", encode(request, form)),
        decoder: decoderFor(options, request),
        toReason: (cause: unknown) => toReason(cause, key),
        firstChunkTimeout: server.loads === true ? Attempt.loadingTimeout : undefined,
      })
    },
    alternative: (request, refusal) =>
      isAcceptedPlain(refusal, request, server.name) ? ([request, "plain"] as const) : undefined,
    unsupported: (request) => (!server.takesParts && hasImage(request) ? imagesUnsupported : undefined),
  }
})

/** Sends nothing before the first request. An invalid key fails that request. */
export const make = adapter.make

/** The model as a layer without requirements. */
export const layer = adapter.layer

/**
 * Makes one attempt, without the retries that `make` adds. A request rejected for the provider metadata of its messages
 * is sent once more without it.
 */
export const attempt = adapter.attempt

/** Returns the validated key, or why it cannot be used. The key is empty if none is required and none is set. */
export const keyOf = ({
  apiKey = Redacted.make(""),
  server: { keyVariable },
}: Pick<Options, "apiKey" | "server">): Either.Either<string, Unauthorized | Misconfigured> =>
  keyVariable === undefined && Redacted.value(apiKey) === ""
    ? Either.right("")
    : Wire.parseApiKey(apiKey, keyVariable ?? "its key")

/**
 * Lists the names of the models that the server offers, in its order, without embedding models. The list is empty if
 * the server has none. Fails like a request.
 */
export const listModels = (options: Omit<Options, "model">): Effect.Effect<ReadonlyArray<string>, Reason> =>
  Effect.flatMap(keyOf(options), (key) => {
    const list = makeClient(options, key).getJson("/models")
    return Effect.tryPromise({
      try: (signal) => list(signal).then(namesIn, (cause: unknown) => (hasNoList(cause) ? [] : Promise.reject(cause))),
      catch: (cause) => toReason(cause, key),
    })
  })

/** Returns whether the server does not know the address, or answers it with something else, such as a page. */
const hasNoList = (cause: unknown): boolean =>
  cause instanceof Http.HttpError ? [404, 405, 410, 501].includes(cause.status) : cause instanceof SyntaxError

/** Most servers list `{ data: [{ id }] }`; some send the array alone, or `{ models: [{ name }] }`. */
const namesIn = (json: unknown): ReadonlyArray<string> => {
  const entries: unknown = isObject(json) ? (json.data ?? json.models) : json
  const names = (Array.isArray(entries) ? entries : []).map((entry: unknown) =>
    isObject(entry) ? (entry.id ?? entry.name) : entry,
  )
  const texts = names.filter((name) => typeof name === "string").map((name) => name.trim())
  return [...new Set(texts)].filter((name) => name !== "" && !/embed/i.test(name))
}

/**
 * The user's own servers pass on the model's text unchanged. It may contain thinking without an opening tag, if the
 * prompt template has that tag.
 */
const decoderFor = ({ baseUrl, model, server }: Options, { tools }: Request) =>
  TaggedThinking.separating(ChatReply.decoder(server, model, tools), {
    readsTags: false,
    reviews: server.loads === true || (baseUrl !== undefined && baseUrl !== server.baseUrl),
  })

const makeClient = ({ baseUrl, fetch = Http.globalFetch, server }: Omit<Options, "model">, key: string) =>
  OpenAiClient.make({ key, baseUrl: baseUrl ?? server.baseUrl, fetch, title: server.title })
