/** OpenAI's Responses, through its own SDK: what its reasoning models think goes back to them, as it does nowhere else. */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { ModelId } from "../../message/ModelId.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import type { Misconfigured, ModelError, Unauthorized } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import { reasons } from "../openai-chat/servers.ts"
import * as OpenAiClient from "../shared/openAiClient.ts"
import { mayPassPlain, toReason } from "../shared/openAiErrors.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Key from "../transport/apiKey.ts"
import * as Adapter from "../transport/attempt.ts"
import * as Http from "../transport/http.ts"
import * as ResponsesReply from "./reply.ts"
import { encoder, type Form } from "./request.ts"

export interface Options {
  /** As the user set it: `keyOf` is applied to it. */
  readonly apiKey: Redacted.Redacted
  /** Without the provider: `gpt-5`. */
  readonly model: string
  /** OpenAI's own address unless another is given; version included, without a slash at its end. */
  readonly baseUrl?: string | undefined
  /** Sends the requests in place of the global one. */
  readonly fetch?: Http.Fetch | undefined
}

/** Neither the SDK nor a client is loaded before the first request. A key that cannot be used fails that one. */
export const make = (options: Options): LanguageModel.Service => LanguageModel.make(idOf(options), attempt(options))

/** Needs nothing but its options. */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.succeed(LanguageModel.LanguageModel, make(options))

/** One request, without patience: `make` has that. One that is refused for its reasoning is sent once more without. */
export const attempt = (options: Options): LanguageModel.Attempt =>
  Adapter.given(idOf(options), keyOf(options.apiKey), (key) => {
    const send = sender(options, key)
    return (request, say) =>
      Effect.catchAll(send(request, "whole", say), (error) =>
        mayPassPlain(error.reason, request, provider) ? send(request, "plain", say) : Effect.fail(error),
      )
  })

/** The key itself, or why it cannot be used. */
export const keyOf = (apiKey: Redacted.Redacted): Either.Either<string, Unauthorized | Misconfigured> =>
  Key.usable(apiKey, "OPENAI_API_KEY")

const provider = "openai-responses"

const idOf = ({ model }: Options): ModelId => new ModelId({ provider, name: model })

const sender = (options: Options, key: string) => {
  const { baseUrl = "https://api.openai.com/v1", fetch = Http.global, model } = options
  const id = idOf(options)
  const encode = encoder(model, reasons(model))
  const client = OpenAiClient.make({ key, baseUrl, fetch, title: "the server" })

  return (request: Request, form: Form, say: LanguageModel.Say): Effect.Effect<void, ModelError> =>
    Effect.suspend(() =>
      Adapter.attempt(
        {
          id,
          open: client.ask("/responses", encode(request, form)),
          decoder: ResponsesReply.decoder(model, ToolNames.reader(request.tools)),
          toReason: (cause) => toReason(cause, key),
        },
        say,
      ),
    )
}
