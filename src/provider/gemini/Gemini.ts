/** Google's Gemini, through its SDK, which has the addresses and credentials of Vertex AI. */
import type { GoogleGenAI, GoogleGenAIOptions } from "@google/genai"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import { isObject } from "../../base/Json.ts"
import { ModelId } from "../../message/ModelId.ts"
import type { Misconfigured, Unauthorized } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import type { Tool } from "../../tool/Tool.ts"
import * as Http from "../transport/http.ts"
import * as Sse from "../transport/sse.ts"
import * as Wire from "../transport/wire.ts"
import { withContents } from "./body.ts"
import { alternativeForm, statusOf, toReason } from "./errors.ts"
import * as GeminiReply from "./reply.ts"
import { type Encoded, estimateTokens, type Form, makeEncoder } from "./request.ts"
import { declarations, type FunctionDeclaration } from "./tools.ts"

export type { FunctionDeclaration }

export interface Options {
  /** The key as the user set it; `keyOf` validates it. */
  readonly apiKey: Redacted.Redacted
  /** The model's name without the provider, such as `gemini-2.5-flash`. */
  readonly model: string
  /** The address of the server. The default is Google's. */
  readonly baseUrl?: string | undefined
  /** Uses Vertex AI instead of the Gemini API. */
  readonly vertex?: Vertex | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: Http.Fetch | undefined
}

export interface Vertex {
  /**
   * The project, used with the application default credentials. If there is no project, the key is used (express mode).
   */
  readonly project?: string | undefined
  /** The location of the project. The default is `global`. */
  readonly location?: string | undefined
}

const adapter = Wire.adapter((options: Options) => ({
  id: new ModelId({ provider: "google", name: options.model }),
  credentials: keyOf(options),
  open: (key: string) => {
    const encode = makeEncoder(options.model)
    let client: Promise<GoogleGenAI> | undefined
    return (request: Request, form: Form = "signed") => {
      const encoded = encode(request, form)
      return {
        open: async (signal: AbortSignal, onEvent: (event: unknown) => void) => {
          client ??= connect(options, key)
          const response = await post(await client, options, encoded, signal)
          await Sse.readEvents(response, throwOnError(response, onEvent))
        },
        decoder: GeminiReply.decoder(options.model, request.tools),
        toReason: (cause: unknown) => toReason(cause, key, estimateTokens(encoded)),
      }
    }
  },
  alternative: (request, refusal) => {
    const form = alternativeForm(refusal)
    return form === undefined ? undefined : [request, form]
  },
}))

/** Loads the SDK with the first request. An invalid key fails that request. */
export const make = adapter.make

/** The model as a layer without requirements. */
export const layer = adapter.layer

/**
 * Makes one attempt, without the retries that `make` adds. A request rejected for its signatures, or for the order of
 * its calls and results, is sent once more in another form.
 */
export const attempt = adapter.attempt

/** Returns the validated key, or why it cannot be used. The key is empty if none is required. */
export const keyOf = ({
  apiKey,
  vertex,
}: Pick<Options, "apiKey" | "vertex">): Either.Either<string, Unauthorized | Misconfigured> =>
  vertex?.project === undefined ? Wire.parseApiKey(apiKey, "GOOGLE_API_KEY") : Either.right("")

/** Returns the declarations of a registry's tools, in its order. */
export const getGeminiToolDeclarations = (registry: {
  readonly tools: ReadonlyArray<Tool>
}): Array<FunctionDeclaration> => declarations(registry.tools)

/**
 * Leaves out the SDK's retries and time limit, since the language model port retries and the stream reader has
 * timeouts.
 */
const connect = async ({ baseUrl, vertex }: Options, apiKey: string): Promise<GoogleGenAI> => {
  const { GoogleGenAI } = await import("./sdk.ts")
  return new GoogleGenAI(vertex === undefined ? geminiOptions(apiKey, baseUrl) : vertexOptions(vertex, apiKey, baseUrl))
}

const geminiOptions = (apiKey: string, baseUrl = "https://generativelanguage.googleapis.com"): GoogleGenAIOptions => ({
  apiKey,
  vertexai: false,
  httpOptions: { apiVersion: "v1beta", baseUrl },
})

/** The SDK derives the address from project and location. */
const vertexOptions = (
  { location, project }: Vertex,
  apiKey: string,
  baseUrl: string | undefined,
): GoogleGenAIOptions => ({
  vertexai: true,
  ...(project === undefined ? { apiKey } : { project, location: location ?? "global" }),
  ...(baseUrl !== undefined && { httpOptions: { baseUrl } }),
})

/**
 * Leaves out the SDK's continuation. The contents in the body are replaced by ours. The signal is passed to the request
 * itself, since the SDK would create another one.
 */
const post = (
  client: GoogleGenAI,
  { fetch = Http.globalFetch, model }: Options,
  { config, contents }: Encoded,
  signal: AbortSignal,
): Promise<Response> =>
  Http.captureResponse(Http.strictFetch(fetch), (fetch) => {
    const send: Http.Fetch = (input, init) =>
      fetch(input, { ...init, body: withContents(String(init?.body), contents), signal })
    return client.models.generateContentStream({
      model,
      contents: "",
      config: { ...config, automaticContinuation: false, httpOptions: { fetch: send } },
    })
  })

/** Throws if an event within an answer is an error. */
const throwOnError =
  ({ headers }: Response, onEvent: (event: unknown) => void) =>
  (event: unknown): void => {
    const status = isObject(event) && isObject(event.error) ? statusOf(event.error) : undefined
    if (status !== undefined) throw new Http.HttpError(status, JSON.stringify(event), headers)
    onEvent(event)
  }
