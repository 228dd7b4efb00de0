/** OpenAI through the Responses API, which unlike Chat Completions sends the reasoning of its models back to them. */
import type * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import { ModelId } from "../../message/ModelId.ts"
import { isReasoningModel } from "../../model/CompatibleServers.ts"
import type { Misconfigured, Unauthorized } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import * as OpenAiClient from "../shared/openAiClient.ts"
import { isAcceptedPlain, toReason } from "../shared/openAiErrors.ts"
import * as TaggedThinking from "../shared/taggedThinking.ts"
import * as ToolNames from "../shared/toolNames.ts"
import * as Http from "../transport/http.ts"
import * as Wire from "../transport/wire.ts"
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

const adapter = Wire.adapter((options: Options) => ({
  id: new ModelId({ provider, name: options.model }),
  credentials: keyOf(options.apiKey),
  open: (key: string) => {
    const { baseUrl = OPENAI, fetch = Http.globalFetch, model } = options
    const encode = makeEncoder(model, isReasoningModel(model))
    const client = OpenAiClient.make({ key, baseUrl, fetch, title: "the server" })
    return (request: Request, form: Form = "full") => ({
      open: client.post("/responses", encode(request, form)),
      decoder: decoderFor(baseUrl, model, request),
      toReason: (cause: unknown) => toReason(cause, key),
    })
  },
  alternative: (request, refusal) =>
    isAcceptedPlain(refusal, request, provider) ? ([request, "plain"] as const) : undefined,
}))

/** Sends nothing before the first request. An invalid key fails that request. */
export const make = adapter.make

/** The model as a layer without requirements. */
export const layer = adapter.layer

/**
 * Makes one attempt, without the retries that `make` adds. A request rejected for its reasoning is sent once more
 * without it.
 */
export const attempt = adapter.attempt

/** Returns the validated key, or why it cannot be used. */
export const keyOf = (apiKey: Redacted.Redacted): Either.Either<string, Unauthorized | Misconfigured> =>
  Wire.parseApiKey(apiKey, "OPENAI_API_KEY")

const provider = "openai-responses"

const OPENAI = "https://api.openai.com/v1"

/** Servers other than OpenAI's pass on the text of their models unchanged. */
const decoderFor = (baseUrl: string, model: string, { tools }: Request) => {
  const decoder = ResponsesReply.decoder(model, ToolNames.makeReader(tools))
  return TaggedThinking.separating(decoder, { readsTags: true, reviews: baseUrl !== OPENAI })
}
