/**
 * Models on this machine or another server of the user, through Ollama's own API. Tool calls that a small model writes
 * as text are recognised; see `shared/textToolCalls`.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ModelId } from "../../message/ModelId.ts"
import { ContextOverflow, type Reason, type StreamIncomplete } from "../../model/ModelError.ts"
import type { Part } from "../../model/Reply.ts"
import type { Request } from "../../model/Request.ts"
import * as TaggedThinking from "../shared/taggedThinking.ts"
import * as Attempt from "../transport/attempt.ts"
import * as Http from "../transport/http.ts"
import * as Ndjson from "../transport/ndjson.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import * as Wire from "../transport/wire.ts"
import * as Address from "./Address.ts"
import * as Context from "./context.ts"
import * as OllamaErrors from "./errors.ts"
import * as OllamaReply from "./reply.ts"
import { type Encoded, estimateTokens, makeEncoder } from "./request.ts"

export interface Server {
  /** The host in the format of OLLAMA_HOST. The default is this machine. */
  readonly host?: string | undefined
  /** The key of a server that requires one, such as ollama.com. It is only sent over TLS or to this machine. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Http.Fetch | undefined
}

export interface Options extends Server {
  /** The model's name without the provider, such as `qwen3:8b`. */
  readonly model: string
}

const adapter = Wire.adapter((options: Options) => ({
  id: new ModelId({ provider: "ollama", name: options.model }),
  credentials: endpointOf(options),
  open: (server: Endpoint) => {
    const { model } = options
    const encode = makeEncoder(model)
    const sizeFor = makeContextSizer(model, server)
    const target = { ...server, model }
    return (request: Request) => {
      const encoded = encode(request)
      const tokens = estimateTokens(encoded)
      return {
        open: async (signal: AbortSignal, onChunk: (chunk: unknown) => void) => {
          const size = await sizeFor(tokens, request, signal)
          const response = await send(server, "/api/chat", bodyOf(model, encoded, size), signal)
          await Ndjson.readLines(response, onChunk)
        },
        decoder: TaggedThinking.separating(
          OllamaReply.decoder({
            model,
            tools: request.tools,
            streamError: (error) => OllamaErrors.fromStreamError(error, target),
          }),
          { readsTags: true, reviews: true },
        ),
        toReason: (cause: unknown) => OllamaErrors.toReason(cause, target),
        firstChunkTimeout: Attempt.loadingTimeout,
        beforeEmit: (parts: ReadonlyArray<Part>) => {
          const end = parts.at(-1)
          return end?._tag === "Finish" && Context.wasTruncated(tokens, end.usage.inputTokens)
            ? warnTruncated(model, tokens, end.usage.inputTokens)
            : Effect.void
        },
      }
    }
  },
}))

/** Sends nothing before the first request. An invalid address fails that request. */
export const make = adapter.make

/** The model as a layer without requirements. */
export const layer = adapter.layer

/**
 * Makes one attempt, without the retries that `make` adds. Logs a warning if the server has truncated the conversation.
 */
export const attempt = adapter.attempt

/** Returns the parsed address and the validated key, or why they cannot be used. */
export const endpointOf = ({ apiKey, fetch = Http.globalFetch, host = "" }: Server): Either.Either<Endpoint, Reason> =>
  Either.gen(function* () {
    const url = yield* Address.parse(host)
    const key =
      apiKey === undefined || !Address.isConfidential(url) ? "" : yield* Wire.parseApiKey(apiKey, "OLLAMA_API_KEY")
    return { url, key, fetch }
  })

export interface Endpoint {
  /** The address without a trailing slash. */
  readonly url: string
  /** The key, or an empty string if there is none. */
  readonly key: string
  readonly fetch: Http.Fetch
}

/** Lists the names of the installed chat models, newest first. Fails like a request. */
export const listModels = (server: Server): Effect.Effect<ReadonlyArray<string>, Reason> =>
  Effect.flatMap(endpointOf(server), (server) =>
    Effect.tryPromise({
      try: async (signal): Promise<unknown> => fetchJson(server, "/api/tags", undefined, signal),
      catch: (cause) => OllamaErrors.toReason(cause, { ...server, model: "" }),
    }),
  ).pipe(Effect.flatMap(parseModelNames))

interface Body {
  readonly model: string
  readonly messages: Encoded["messages"]
  readonly tools?: Encoded["tools"]
  readonly format?: NonNullable<Encoded["format"]>
  readonly think?: NonNullable<Encoded["think"]>
  readonly options: Encoded["options"] & { readonly num_ctx?: number }
  readonly stream: true
  /** Servers from 0.12.6 on reject a prompt that is too long instead of truncating it. */
  readonly truncate: false
}

const bodyOf = (
  model: string,
  { format, messages, options, think, tools }: Encoded,
  size: number | undefined,
): Body => ({
  model,
  messages,
  ...(tools.length > 0 && { tools }),
  ...(format !== undefined && { format }),
  ...(think !== undefined && { think }),
  options: { ...options, ...(size !== undefined && { num_ctx: size }) },
  stream: true,
  truncate: false,
})

/**
 * Returns the context size for a prompt. It is never smaller than before, since another size reloads the model. It is
 * `undefined` if the server's default is enough, which needs no request. Rejects with `ContextOverflow` if the prompt
 * is too long.
 */
const makeContextSizer = (model: string, server: Endpoint) => {
  let known: Promise<Context.ModelContext> | undefined
  let largest = 0
  return async (tokens: number, { maxOutputTokens }: Request, signal: AbortSignal): Promise<number | undefined> => {
    const needed = Context.tokensNeeded(tokens, maxOutputTokens)
    if (largest === 0 && needed <= Context.MIN_CONTEXT) return undefined
    known ??= fetchContext(model, server, signal)
    const found = await known
    if (found === Context.unknownContext) known = undefined
    if (Context.exceedsLimit(tokens, found)) {
      const message = `the conversation comes to about ${tokens} tokens, and the model reads ${found.limit}`
      throw new Http.RequestNotSent(new ContextOverflow({ message }))
    }
    largest = Math.max(largest, Context.contextSize(needed, found))
    return largest
  }
}

/** Fetches the context of the model. It is unknown if that request fails, since the chat request will fail likewise. */
const fetchContext = async (model: string, server: Endpoint, signal: AbortSignal): Promise<Context.ModelContext> => {
  try {
    const [shown, loaded] = await Promise.all([
      fetchJson(server, "/api/show", { model }, signal),
      fetchJson(server, "/api/ps", undefined, signal),
    ])
    return Context.parseContext(model, shown, loaded)
  } catch {
    return Context.unknownContext
  }
}

/** Sends a `GET` if there is no body, otherwise a `POST`. */
const send = (server: Endpoint, path: string, body: object | undefined, signal: AbortSignal): Promise<Response> =>
  Http.strictFetch(server.fetch)(Http.endpoint(server.url, path), {
    method: body === undefined ? "GET" : "POST",
    headers: Http.headersFor(server.key),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
  })

/** Returns the JSON of a response. Rejects like `Http.strictFetch`. */
export const fetchJson = async (
  server: Endpoint,
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<unknown> => Http.readJson(await send(server, path, body, signal))

const warnTruncated = (model: string, tokens: number, read: number): Effect.Effect<void> =>
  Effect.logWarning(
    `ollama/${model}: the server truncated the prompt (${read} of about ${tokens} tokens); it may allow a larger context (num_ctx, OLLAMA_CONTEXT_LENGTH)`,
  )

/**
 * Returns the names of the chat models in a response of `/api/tags`, in the server's order, newest first. Embedding
 * models are left out.
 */
const parseModelNames = (listed: unknown): Either.Either<ReadonlyArray<string>, StreamIncomplete> =>
  Either.mapBoth(decodeModels(listed), {
    onLeft: () => UnusableAnswer.notAnApiResponse,
    onRight: ({ models }) =>
      models.filter(({ details, name }) => !/bert|embed/i.test(`${details?.family} ${name}`)).map(({ name }) => name),
  })

const decodeModels = Schema.decodeUnknownEither(
  Schema.Struct({
    models: Schema.Array(
      Schema.Struct({
        name: Schema.NonEmptyString,
        details: Schema.optional(Schema.NullOr(Schema.Struct({ family: Schema.optional(Schema.String) }))),
      }),
    ),
  }),
)
