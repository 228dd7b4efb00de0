/**
 * Models that run on this machine or another of the user's, through Ollama's own API and client. The only module that
 * loads it. Calls that a small model writes as words are run where they can be nothing else: `internal/writtenCalls`.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { ChatRequest, Ollama } from "ollama/browser"
import { ModelId } from "../../message/ModelId.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { ContextOverflow, type Reason } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import * as ApiKey from "../transport/apiKey.ts"
import * as Attempt from "../transport/attempt.ts"
import * as Http from "../transport/http.ts"
import * as Ndjson from "../transport/ndjson.ts"
import * as Address from "./address.ts"
import * as Context from "./context.ts"
import * as OllamaErrors from "./errors.ts"
import * as OllamaModels from "./models.ts"
import * as OllamaReply from "./reply.ts"
import { type Encoded, estimateTokens, makeEncoder } from "./request.ts"

export interface Server {
  /** As OLLAMA_HOST is written; this machine's own server where there is none. */
  readonly host?: string | undefined
  /** For a server that wants one, such as ollama.com. It is sent over TLS or to this machine, and else not at all. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Sends the requests in place of the global one. */
  readonly fetch?: Http.Fetch | undefined
}

export interface Options extends Server {
  /** Without the provider: `qwen3:8b`. */
  readonly model: string
}

/** Neither the client is loaded nor the server asked before the first request. An address of no use fails that one. */
export const make = (options: Options): LanguageModel.Service => LanguageModel.make(idOf(options), attempt(options))

/** Needs nothing but its options. */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.succeed(LanguageModel.LanguageModel, make(options))

/** One request, without patience: `make` has that. Warns in the log where the server has cut the conversation. */
export const attempt = (options: Options): LanguageModel.Attempt =>
  Attempt.withCredentials(idOf(options), endpointOf(options), (place) => sender(options, place))

/** Where a server is and what it wants; or why that cannot be used. */
export const endpointOf = ({ apiKey, fetch = Http.globalFetch, host = "" }: Server): Either.Either<Endpoint, Reason> =>
  Either.gen(function* () {
    const url = yield* Address.parse(host)
    const key =
      apiKey === undefined || !Address.isConfidential(url) ? "" : yield* ApiKey.parseApiKey(apiKey, "OLLAMA_API_KEY")
    return { url, key, fetch }
  })

export interface Endpoint {
  /** Without a slash at its end. */
  readonly url: string
  /** Empty for none. */
  readonly key: string
  readonly fetch: Http.Fetch
}

/** The models that are pulled and can be talked to, by name, the newest first. Fails as a request does. */
export const listModels = (server: Server): Effect.Effect<ReadonlyArray<string>, Reason> =>
  Effect.flatMap(endpointOf(server), (place) =>
    Effect.tryPromise({
      try: async (signal): Promise<unknown> => (await connect(place, signal)).list(),
      catch: (cause) => OllamaErrors.toReason(cause, { ...place, model: "" }),
    }),
  ).pipe(Effect.flatMap(OllamaModels.parseModelNames))

const idOf = ({ model }: Options): ModelId => new ModelId({ provider: "ollama", name: model })

const sender = (options: Options, place: Endpoint): LanguageModel.Attempt => {
  const { model } = options
  const id = idOf(options)
  const encode = makeEncoder(model)
  const sizeFor = makeContextSizer(model, place)
  const asked = { ...place, model }

  return (request, emit) =>
    Effect.suspend(() => {
      const encoded = encode(request)
      const tokens = estimateTokens(encoded)
      return Attempt.run(
        {
          id,
          open: async (signal, hear) => {
            const size = await sizeFor(tokens, request, signal)
            await Ndjson.readLines(await chat(place, bodyOf(model, encoded, size), signal), hear)
          },
          decoder: OllamaReply.decoder({
            model,
            tools: request.tools,
            streamError: (error) => OllamaErrors.fromStreamError(error, asked),
          }),
          toReason: (cause) => OllamaErrors.toReason(cause, asked),
          firstChunkTimeout: Attempt.loadingTimeout,
        },
        (parts) => {
          const end = parts.at(-1)
          return end?._tag === "Finish" && Context.wasTruncated(tokens, end.usage.inputTokens)
            ? Effect.zipRight(warnTruncated(model, tokens, end.usage.inputTokens), emit(parts))
            : emit(parts)
        },
      )
    })
}

/** Servers from 0.12.6 on refuse what is too long, where they are asked to, in place of cutting it. */
type Body = ChatRequest & { readonly stream: true; readonly truncate: false }

const bodyOf = (model: string, { format, messages, options, tools }: Encoded, size: number | undefined): Body => ({
  model,
  messages,
  ...(tools.length > 0 && { tools }),
  ...(format !== undefined && { format }),
  options: { ...options, ...(size !== undefined && { num_ctx: size }) },
  stream: true,
  truncate: false,
})

/**
 * The size of the context for a prompt of so many tokens, never smaller than before: another size loads the model anew.
 * None where the server's own is enough; then nothing is asked of it. Rejects with what is too long for certain.
 */
const makeContextSizer = (model: string, place: Endpoint) => {
  let known: Promise<Context.ModelContext> | undefined
  let largest = 0
  return async (tokens: number, { maxOutputTokens }: Request, signal: AbortSignal): Promise<number | undefined> => {
    const needed = Context.tokensNeeded(tokens, maxOutputTokens)
    if (largest === 0 && needed <= Context.MIN_CONTEXT) return undefined
    known ??= fetchContext(model, place, signal)
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

/** What the server says of the model; nothing where it does not say: the request itself tells why. */
const fetchContext = async (model: string, place: Endpoint, signal: AbortSignal): Promise<Context.ModelContext> => {
  try {
    const client = await connect(place, signal)
    const [shown, loaded] = await Promise.all([client.show({ model }), client.ps()])
    return Context.parseContext(model, shown, loaded)
  } catch {
    return Context.unknownContext
  }
}

const chat = (place: Endpoint, body: Body, signal: AbortSignal): Promise<Response> =>
  Http.captureResponse(place.fetch, async (fetch) => (await connect({ ...place, fetch }, signal)).chat(body))

/**
 * A client for one request, so that the signal is that request's. The one for browsers: the other takes a picture whose
 * base64 is the name of a file for that file.
 */
const connect = async ({ fetch, key, url }: Endpoint, signal: AbortSignal): Promise<Ollama> => {
  sdk ??= import("ollama/browser")
  const { Ollama } = await sdk
  const send = Http.strictFetch(fetch)
  return new Ollama({
    host: url,
    ...(key !== "" && { headers: { authorization: `Bearer ${key}` } }),
    fetch: (input, init) => send(input, { ...init, signal }),
  })
}

/** Kept: to import what is loaded takes longer than to make a client of it. */
let sdk: Promise<typeof import("ollama/browser")> | undefined

const warnTruncated = (model: string, tokens: number, read: number): Effect.Effect<void> =>
  Effect.logWarning(
    `ollama/${model}: the server truncated the prompt (${read} of about ${tokens} tokens); it may allow a larger context (num_ctx, OLLAMA_CONTEXT_LENGTH)`,
  )
