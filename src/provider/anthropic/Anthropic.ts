/** Anthropic's Claude, through the Messages API. */
import type * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import { ModelId } from "../../message/ModelId.ts"
import { unknownClaude } from "../../model/Limits.ts"
import type { Misconfigured, Unauthorized } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import * as Http from "../transport/http.ts"
import * as Sse from "../transport/sse.ts"
import * as Wire from "../transport/wire.ts"
import { alternativeRequest, fromStreamError, toReason } from "./errors.ts"
import * as AnthropicReply from "./reply.ts"
import { type Body, estimateTokens, type Form, makeEncoder } from "./request.ts"

export interface Options {
  /** The key as the user set it; `keyOf` validates it. */
  readonly apiKey: Redacted.Redacted
  /** The model's name without the provider, such as `claude-sonnet-4-5`. */
  readonly model: string
  /** The address of the server, without `/v1`. The default is Anthropic's. */
  readonly baseUrl?: string | undefined
  /**
   * The output limit in tokens of requests that have none of their own, since Anthropic requires one. The default is
   * that of `Limits.unknownClaude`.
   */
  readonly maxOutputTokens?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Http.Fetch | undefined
}

const adapter = Wire.adapter((options: Options) => ({
  id: new ModelId({ provider: "anthropic", name: options.model }),
  credentials: keyOf(options.apiKey),
  open: (key: string) => {
    const { maxOutputTokens = unknownClaude.output, model } = options
    const encode = makeEncoder(model, maxOutputTokens)
    return (request: Request, form: Form = "signed") => {
      const body = encode(request, form)
      return {
        open: async (signal: AbortSignal, onEvent: (event: unknown) => void) =>
          Sse.readEvents(await send(options, key, body, signal), onEvent),
        decoder: AnthropicReply.decoder({
          model,
          tools: request.tools,
          streamError: (error) => fromStreamError(error, key),
        }),
        toReason: (cause: unknown) => toReason(cause, key, () => estimateTokens(body)),
      }
    }
  },
  alternative: (request, refusal) => alternativeRequest(request, "signed", refusal),
}))

/** Sends nothing before the first request. An invalid key fails that request. */
export const make = adapter.make

/** The model as a layer without requirements. */
export const layer = adapter.layer

/**
 * Makes one attempt, without the retries that `make` adds. A request rejected for its thinking is sent once more
 * without it. A request whose output limit does not fit into the context is sent once more with a lower limit.
 */
export const attempt = adapter.attempt

/** Returns the validated key, or why it cannot be used. */
export const keyOf = (apiKey: Redacted.Redacted): Either.Either<string, Unauthorized | Misconfigured> =>
  Wire.parseApiKey(apiKey, "ANTHROPIC_API_KEY")

const send = async (
  { baseUrl = "https://api.anthropic.com", fetch = Http.globalFetch }: Options,
  key: string,
  body: Body,
  signal: AbortSignal,
): Promise<Response> =>
  Http.strictFetch(fetch)(Http.endpoint(baseUrl, "/v1/messages"), {
    method: "POST",
    headers: { ...Http.headersFor(key), "anthropic-version": apiVersion },
    body: JSON.stringify(body),
    signal,
  })

/** docs.anthropic.com/en/api/versioning */
const apiVersion = "2026-10-21"
