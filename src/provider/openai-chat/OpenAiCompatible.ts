/** OpenAI and all who speak its chat completions, through OpenAI's own SDK. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ModelId } from "../../message/ModelId.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { type Misconfigured, ModelError, type Unauthorized, wordsAlone } from "../../model/ModelError.ts"
import { type Request, showsPicture } from "../../model/Request.ts"
import * as OpenAiClient from "../shared/openAiClient.ts"
import { mayPassPlain, toReason } from "../shared/openAiErrors.ts"
import * as Key from "../transport/apiKey.ts"
import * as Adapter from "../transport/attempt.ts"
import * as Http from "../transport/http.ts"
import * as ChatReply from "./reply.ts"
import { encoder, type Form } from "./request.ts"
import * as ChatDialects from "./servers.ts"

export type Dialect = ChatDialects.Dialect

/** Those that are known, by the name in the ids of their models: `openai`, `openrouter`, `groq`, … */
export const dialects: Readonly<Record<Known, Dialect>> = ChatDialects.dialects

export type Known = keyof typeof ChatDialects.dialects

/** Of a server that only its user knows. `keyVariable` is where its key is to be set, if it wants one. */
export const custom: (name: string, baseUrl: string, keyVariable: string | undefined) => Dialect = ChatDialects.custom

export interface Options {
  /** Who is asked. */
  readonly dialect: Dialect
  /** As the user set it: `keyOf` is applied to it. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** Without the provider: `gpt-4o-mini`. */
  readonly model: string
  /** The dialect's own unless another is given; version included, without a slash at its end. */
  readonly baseUrl?: string | undefined
  /** Sends the requests in place of the global one. */
  readonly fetch?: Http.Fetch | undefined
}

/** Neither the SDK nor a client is loaded before the first request. A key that cannot be used fails that one. */
export const make = (options: Options): LanguageModel.Service => LanguageModel.make(idOf(options), attempt(options))

/** Needs nothing but its options. */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.succeed(LanguageModel.LanguageModel, make(options))

/**
 * One request, without patience: `make` has that. One that is refused for what the model is to get back of its own is
 * sent once more without.
 */
export const attempt = (options: Options): LanguageModel.Attempt =>
  Adapter.given(idOf(options), keyOf(options), (key) => {
    const send = sender(options, key)
    return (request, say) =>
      !options.dialect.takesParts && showsPicture(request)
        ? new ModelError({ model: String(idOf(options)), reason: wordsAlone })
        : Effect.catchAll(send(request, "whole", say), (error) =>
            mayPassPlain(error.reason, request, options.dialect.name)
              ? send(request, "plain", say)
              : Effect.fail(error),
          )
  })

/** The key itself, empty where none is wanted and none is set; or why it cannot be used. */
export const keyOf = ({
  apiKey = Redacted.make(""),
  dialect: { keyVariable },
}: Pick<Options, "apiKey" | "dialect">): Either.Either<string, Unauthorized | Misconfigured> =>
  keyVariable === undefined && Redacted.value(apiKey) === ""
    ? Either.right("")
    : Key.usable(apiKey, keyVariable ?? "its key")

const idOf = ({ dialect, model }: Options): ModelId => new ModelId({ provider: dialect.name, name: model })

const sender = (options: Options, key: string) => {
  const { baseUrl, dialect, fetch = Http.global, model } = options
  const id = idOf(options)
  const encode = encoder(dialect, model)
  const client = OpenAiClient.make({ key, baseUrl: baseUrl ?? dialect.baseUrl, fetch, title: dialect.title })

  return (request: Request, form: Form, say: LanguageModel.Say): Effect.Effect<void, ModelError> =>
    Effect.suspend(() =>
      Adapter.attempt(
        {
          id,
          open: client.ask("/chat/completions", encode(request, form)),
          decoder: ChatReply.decoder(dialect, model, request.tools),
          toReason: (cause) => toReason(cause, key),
          firstWithin: dialect.loads === true ? Adapter.loadingTimeout : undefined,
        },
        say,
      ),
    )
}
