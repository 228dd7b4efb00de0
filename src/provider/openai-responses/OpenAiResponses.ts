/** OpenAI through the Responses API, which unlike Chat Completions sends the reasoning of its models back to them. */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { ModelId } from "../../message/ModelId.ts"
import { isReasoningModel } from "../../model/CompatibleServers.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import type { Misconfigured, ModelError, Unauthorized } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import * as OpenAiClient from "../shared/openAiClient.ts"
import { isAcceptedPlain, toReason } from "../shared/openAiErrors.ts"
import * as TaggedThinking from "../shared/taggedThinking.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Attempt from "../transport/attempt.ts"
import * as Credentials from "../transport/credentials.ts"
import * as Http from "../transport/http.ts"
import * as ResponsesReply from "./reply.ts"
import { type Form, makeEncoder } from "./request.ts"

export interface Options {
  /** The key as the user set it; `keyOf` validates it. */
  readonly apiKey: Redacted.Redacted
  /** The model's name without the provider, such as `gpt-5`. */
  readonly model: string
  /** The address with the version, without a trailing slash. The default is OpenAI's. */
  readonly baseUrl?: string | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Http.Fetch | undefined
}

/** Sends nothing before the first request. An invalid key fails that request. */
export const make = (options: Options): LanguageModel.Service => LanguageModel.make(idOf(options), attempt(options))

/** The model as a layer without requirements. */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.succeed(LanguageModel.LanguageModel, make(options))

/**
 * Makes one attempt, without the retries that `make` adds. A request rejected for its reasoning is sent once more
 * without it.
 */
export const attempt = (options: Options): LanguageModel.Attempt =>
  Credentials.withCredentials(idOf(options), keyOf(options.apiKey), (key) => {
    const send = makeSender(options, key)
    return (request, emit) =>
      Effect.catchAll(send(request, "full", emit), (error) =>
        isAcceptedPlain(error.reason, request, provider) ? send(request, "plain", emit) : Effect.fail(error),
      )
  })

/** Returns the validated key, or why it cannot be used. */
export const keyOf = (apiKey: Redacted.Redacted): Either.Either<string, Unauthorized | Misconfigured> =>
  Credentials.parseApiKey(apiKey, "OPENAI_API_KEY")

const provider = "openai-responses"

const idOf = ({ model }: Options): ModelId => new ModelId({ provider, name: model })

const OPENAI = "https://api.openai.com/v1"

/** Servers other than OpenAI's pass on the text of their models unchanged. */
const decoderFor = (baseUrl: string, model: string, { tools }: Request) => {
  const decoder = ResponsesReply.decoder(model, ToolNames.makeReader(tools))
  return TaggedThinking.separating(decoder, { readsTags: true, reviews: baseUrl !== OPENAI })
}

const makeSender = (options: Options, key: string) => {
  const { baseUrl = OPENAI, fetch = Http.globalFetch, model } = options
  const id = idOf(options)
  const encode = makeEncoder(model, isReasoningModel(model))
  const client = OpenAiClient.make({ key, baseUrl, fetch, title: "the server" })

  return (request: Request, form: Form, emit: LanguageModel.Emit): Effect.Effect<void, ModelError> =>
    Effect.suspend(() =>
      Attempt.run(
        {
          id,
          open: client.post("/responses", encode(request, form)),
          decoder: decoderFor(baseUrl, model, request),
          toReason: (cause) => toReason(cause, key),
        },
        emit,
      ),
    )
}
