/** Google's Gemini, through its own SDK. The only module that loads it. */
import type { FunctionDeclaration, GoogleGenAI, GoogleGenAIOptions } from "@google/genai"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { isObject } from "../../message/Json.ts"
import { ModelId } from "../../message/ModelId.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import type { Misconfigured, ModelError, Unauthorized } from "../../model/ModelError.ts"
import type { Request } from "../../model/Request.ts"
import type { Tool } from "../../tool/Tool.ts"
import * as ApiKey from "../transport/apiKey.ts"
import * as Attempt from "../transport/attempt.ts"
import * as Http from "../transport/http.ts"
import * as Sse from "../transport/sse.ts"
import { withContents } from "./body.ts"
import { alternativeForm, statusOf, toReason } from "./errors.ts"
import * as GeminiReply from "./reply.ts"
import { type Encoded, estimateTokens, type Form, makeEncoder } from "./request.ts"
import { declarations } from "./tools.ts"

export interface Options {
  /** As the user set it: `keyOf` is applied to it. */
  readonly apiKey: Redacted.Redacted
  /** Without the provider: `gemini-2.5-flash`. */
  readonly model: string
  /** Google's own address unless another is given. */
  readonly baseUrl?: string | undefined
  /** Asks Vertex AI in place of the Gemini API. */
  readonly vertex?: Vertex | undefined
  /** Sends the requests in place of the global one. */
  readonly fetch?: Http.Fetch | undefined
}

export interface Vertex {
  /** Whose credentials are those that Google's own tools find; without one it is the key that counts (express mode). */
  readonly project?: string | undefined
  /** Of the project; `global` unless another is given. */
  readonly location?: string | undefined
}

/** Neither the SDK nor a client is loaded before the first request. A key that cannot be used fails that one. */
export const make = (options: Options): LanguageModel.Service => LanguageModel.make(idOf(options), attempt(options))

/** Needs nothing but its options. */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.succeed(LanguageModel.LanguageModel, make(options))

/**
 * One request, without patience: `make` has that. One that is refused for its signatures, or for the order of its
 * calls and answers, is sent once more in a form that has none.
 */
export const attempt = (options: Options): LanguageModel.Attempt =>
  Attempt.withCredentials(idOf(options), keyOf(options), (key) => {
    const send = sender(options, key)
    return (request, emit) =>
      Effect.catchAll(send(request, "signed", emit), (error) => {
        const form = alternativeForm(error.reason)
        return form === undefined ? Effect.fail(error) : send(request, form, emit)
      })
  })

/** The key itself, empty where none is wanted; or why it cannot be used. */
export const keyOf = ({
  apiKey,
  vertex,
}: Pick<Options, "apiKey" | "vertex">): Either.Either<string, Unauthorized | Misconfigured> =>
  vertex?.project === undefined ? ApiKey.parseApiKey(apiKey, "GOOGLE_API_KEY") : Either.right("")

/** What Gemini is told of the tools of a registry: all of them, in its order. */
export const getGeminiToolDeclarations = (registry: {
  readonly tools: ReadonlyArray<Tool>
}): Array<FunctionDeclaration> => declarations(registry.tools)

const idOf = ({ model }: Options): ModelId => new ModelId({ provider: "google", name: model })

const sender = (options: Options, key: string) => {
  const id = idOf(options)
  const encode = makeEncoder(options.model)
  let client: Promise<GoogleGenAI> | undefined

  return (request: Request, form: Form, emit: LanguageModel.Say): Effect.Effect<void, ModelError> =>
    Effect.suspend(() => {
      const encoded = encode(request, form)
      return Attempt.run(
        {
          id,
          open: async (signal, hear) => {
            client ??= connect(options, key)
            const response = await ask(await client, options, encoded, signal)
            await Sse.readEvents(response, withoutErrors(response, hear))
          },
          decoder: GeminiReply.decoder(options.model, request.tools),
          toReason: (cause) => toReason(cause, key, estimateTokens(encoded)),
        },
        emit,
      )
    })
}

/** The SDK's retries and its time limit stay off: retries are the port's, silence is ours. */
const connect = async ({ baseUrl, vertex }: Options, apiKey: string): Promise<GoogleGenAI> => {
  const { GoogleGenAI } = await import("@google/genai")
  if (vertex?.project !== undefined) withoutLookupWarnings()
  return quietly(
    () => new GoogleGenAI(vertex === undefined ? gemini(apiKey, baseUrl) : ofVertex(vertex, apiKey, baseUrl)),
  )
}

const gemini = (apiKey: string, baseUrl = "https://generativelanguage.googleapis.com"): GoogleGenAIOptions => ({
  apiKey,
  vertexai: false,
  httpOptions: { apiVersion: "v1beta", baseUrl },
})

/** The SDK knows where a project's models are. */
const ofVertex = ({ location, project }: Vertex, apiKey: string, baseUrl: string | undefined): GoogleGenAIOptions => ({
  vertexai: true,
  ...(project === undefined ? { apiKey } : { project, location: location ?? "global" }),
  ...(baseUrl !== undefined && { httpOptions: { baseUrl } }),
})

/**
 * The SDK's continuation stays off, too. What it takes for the contents gives way to ours in the body, and the signal
 * goes with the request itself, past one more of its own.
 */
const ask = (
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

/** Throws where an error comes in the midst of an answer. */
const withoutErrors =
  ({ headers }: Response, hear: (event: unknown) => void) =>
  (event: unknown): void => {
    const status = isObject(event) && isObject(event.error) ? statusOf(event.error) : undefined
    if (status !== undefined) throw new Http.HttpError(status, JSON.stringify(event), headers)
    hear(event)
  }

/**
 * Where no credentials are found Google's library asks a server that its own machines have, and warns that there is
 * none; then it fails, which says all. That is in the midst of a request, so the warning is silenced from then on.
 */
const withoutLookupWarnings = (): void => {
  if (isSilenced) return
  isSilenced = true
  const emitWarning = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: ReadonlyArray<unknown>) => {
    if (rest[0] !== "MetadataLookupWarning") Reflect.apply(emitWarning, process, [warning, ...rest])
  }
}

/** A program that opens one model after the other would else put one such function in front of another. */
let isSilenced = false

/**
 * The client tells the console what else it has found in the environment, whatever it is given: several keys, a key and
 * a project. It is constructed in one go, so nobody else can be silenced meanwhile.
 */
const quietly = <A>(construct: () => A): A => {
  const { debug, warn } = console
  Object.assign(console, { debug: () => {}, warn: () => {} })
  try {
    return construct()
  } finally {
    Object.assign(console, { debug, warn })
  }
}
