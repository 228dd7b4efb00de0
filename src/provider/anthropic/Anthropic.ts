/** Anthropic's Claude, through its own SDK. The only module that loads it. */
import type Anthropic from "@anthropic-ai/sdk"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { ModelId } from "../../message/ModelId.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { unknownClaude } from "../../model/Limits.ts"
import type { Misconfigured, ModelError, Unauthorized } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import * as ApiKey from "../transport/apiKey.ts"
import * as Attempt from "../transport/attempt.ts"
import * as Http from "../transport/http.ts"
import * as Sse from "../transport/sse.ts"
import { alternativeRequest, fromStreamError, toReason } from "./errors.ts"
import * as AnthropicReply from "./reply.ts"
import { type Body, estimateTokens, type Form, makeEncoder } from "./request.ts"

export interface Options {
  /** As the user set it: `keyOf` is applied to it. */
  readonly apiKey: Redacted.Redacted
  /** Without the provider: `claude-sonnet-4-5`. */
  readonly model: string
  /** Anthropic's own address unless another is given; without `/v1`. */
  readonly baseUrl?: string | undefined
  /**
   * The longest answer of the model, in tokens: Anthropic wants to be told one with each request, and gets this where a
   * request does not say. That of `Limits.unknownClaude` unless given.
   */
  readonly maxOutputTokens?: number | undefined
  /** Sends the requests in place of the global one. */
  readonly fetch?: Http.Fetch | undefined
}

/** Neither the SDK nor a client is loaded before the first request. A key that cannot be used fails that one. */
export const make = (options: Options): LanguageModel.Service => LanguageModel.make(idOf(options), attempt(options))

/** Needs nothing but its options. */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.succeed(LanguageModel.LanguageModel, make(options))

/**
 * One request, without patience: `make` has that. One that is refused for the thinking it sends back is sent once more
 * without, and one whose longest answer does not fit behind it, with a shorter one.
 */
export const attempt = (options: Options): LanguageModel.Attempt =>
  Attempt.withCredentials(idOf(options), keyOf(options.apiKey), (key) => {
    const send = sender(options, key)
    return (request, emit) =>
      Effect.catchAll(send(request, "signed", emit), (error) => {
        const other = alternativeRequest(request, "signed", error.reason)
        return other === undefined ? Effect.fail(error) : send(...other, emit)
      })
  })

/** The key itself, or why it cannot be used. */
export const keyOf = (apiKey: Redacted.Redacted): Either.Either<string, Unauthorized | Misconfigured> =>
  ApiKey.parseApiKey(apiKey, "ANTHROPIC_API_KEY")

const idOf = ({ model }: Options): ModelId => new ModelId({ provider: "anthropic", name: model })

const sender = (options: Options, key: string) => {
  const { maxOutputTokens = unknownClaude.output, model } = options
  const id = idOf(options)
  const encode = makeEncoder(model, maxOutputTokens)
  let client: Promise<Anthropic> | undefined

  return (request: Request, form: Form, emit: LanguageModel.Say): Effect.Effect<void, ModelError> =>
    Effect.suspend(() => {
      const body = encode(request, form)
      return Attempt.run(
        {
          id,
          open: async (signal, hear) => {
            client ??= connect(options, key)
            await Sse.readEvents(await ask(await client, body, signal), hear)
          },
          decoder: AnthropicReply.decoder({
            model,
            tools: request.tools,
            streamError: (error) => fromStreamError(error, key),
          }),
          toReason: (cause) => toReason(cause, key, () => estimateTokens(body)),
        },
        emit,
      )
    })
}

/** The SDK's retries, its time limit and its log stay off: retries are the port's, silence is ours. */
const connect = async (
  { baseUrl = "https://api.anthropic.com", fetch = Http.globalFetch }: Options,
  apiKey: string,
): Promise<Anthropic> => {
  const { Anthropic } = await import("@anthropic-ai/sdk")
  return new Anthropic({
    apiKey,
    baseURL: baseUrl,
    fetch: Http.strictFetch(fetch),
    maxRetries: 0,
    timeout: never,
    logLevel: "off",
    openTelemetry: false,
  })
}

/** In milliseconds: the most that a timer takes. */
const never = 2 ** 31 - 1

/** Past `messages.create`, which warns of old models on the console. */
const ask = (client: Anthropic, body: Body, signal: AbortSignal): Promise<Response> =>
  client.post("/v1/messages", { body, signal, stream: true }).asResponse()
