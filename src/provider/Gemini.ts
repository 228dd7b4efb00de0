/** Google's Gemini, through its own SDK. The only module that loads it. */
import type { FunctionDeclaration, GenerateContentResponse } from "@google/genai"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { ModelId } from "../message/ModelId.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import { Misconfigured, ModelError, type Reason, StreamIncomplete, Unauthorized } from "../model/ModelError.ts"
import type { Part } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import type { Tool } from "../tool/Tool.ts"
import { abortable } from "./internal/abortable.ts"
import { declarations } from "./internal/geminiDeclarations.ts"
import { isSignatureRefused, toReason } from "./internal/geminiError.ts"
import { mendedFetch } from "./internal/geminiFetch.ts"
import * as GeminiReply from "./internal/geminiReply.ts"
import { type Encoded, encode, type Signatures } from "./internal/geminiRequest.ts"

export interface Options {
  /** As the user set it: `keyOf` is applied to it. */
  readonly apiKey: Redacted.Redacted
  /** Without the provider: `gemini-2.5-flash`. */
  readonly model: string
  /** Google's own address unless another is given. */
  readonly baseUrl?: string | undefined
}

/** The longest silence of a stream (FAULTS B6). */
export const idleTimeout: Duration.Duration = Duration.seconds(90)

/** Neither the SDK nor a client is loaded before the first request. A key that cannot be used fails that one. */
export const make = (options: Options): LanguageModel.Service => LanguageModel.make(idOf(options), attempt(options))

/** Needs nothing but its options. */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.succeed(LanguageModel.LanguageModel, make(options))

/** One request, without patience: `make` has that. One that is refused for its signatures is sent again without. */
export const attempt =
  (options: Options): LanguageModel.Attempt =>
  (request) =>
    Either.match(keyOf(options.apiKey), {
      onLeft: (reason) => Stream.fail(new ModelError({ model: String(idOf(options)), reason })),
      onRight: (key) =>
        Stream.catchAll(send(options, key, request, "kept"), (error) =>
          isSignatureRefused(error.reason) ? send(options, key, request, "dropped") : Stream.fail(error),
        ),
    })

/** The key itself, without the white space and the quotes that shells and `.env` files leave around it. */
export const keyOf = (apiKey: Redacted.Redacted): Either.Either<string, Unauthorized | Misconfigured> => {
  const key = Redacted.value(apiKey)
    .trim()
    .replace(/^(["'`])(.*)\1$/s, "$2")
    .trim()
  if (key === "") return Either.left(new Unauthorized({ message: "there is no key: GOOGLE_API_KEY is not set" }))
  return /^[\x21-\x7e]+$/.test(key)
    ? Either.right(key)
    : Either.left(new Misconfigured({ message: "GOOGLE_API_KEY holds a character that no key has" }))
}

/** What Gemini is told of the tools of a registry: all of them, in its order. */
export const getGeminiToolDeclarations = (registry: {
  readonly tools: ReadonlyArray<Tool>
}): Array<FunctionDeclaration> => declarations(registry.tools)

const idOf = ({ model }: Options): ModelId => new ModelId({ provider: "google", name: model })

const send = (
  options: Options,
  key: string,
  request: Request,
  signatures: Signatures,
): Stream.Stream<Part, ModelError> => {
  const toError = (reason: Reason) => new ModelError({ model: String(idOf(options)), reason })
  const encoded = encode(options.model, request, signatures)
  const tools = request.tools.map((tool) => tool.name)
  return Stream.fromAsyncIterable(
    abortable((signal) => open(options, key, encoded, signal)),
    (cause) => toError(toReason(cause, key)),
  ).pipe(
    Stream.timeoutFail(() => toError(silent), idleTimeout),
    Stream.map(Option.some),
    Stream.concat(Stream.succeed(Option.none())),
    Stream.mapAccumEffect(GeminiReply.start, (answer, chunk) =>
      Option.match(chunk, {
        onNone: () => Either.map(GeminiReply.end(answer, tools), (finish) => [answer, [finish]] as const),
        onSome: (chunk) => GeminiReply.step(options.model, answer, chunk),
      }).pipe(Either.mapLeft(toError)),
    ),
    Stream.flattenIterables,
  )
}

const silent = new StreamIncomplete({ message: `nothing was heard for ${Duration.format(idleTimeout)}` })

/** The SDK's retries, its time limit and its continuation stay off: retries are the port's, silence is ours. */
const open = async (
  { baseUrl = "https://generativelanguage.googleapis.com", model }: Options,
  apiKey: string,
  { config, contents }: Encoded,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<GenerateContentResponse>> => {
  const { GoogleGenAI } = await import("@google/genai")
  const client = withoutWarnings(
    () =>
      new GoogleGenAI({
        apiKey,
        vertexai: false,
        httpOptions: { apiVersion: "v1beta", baseUrl, fetch: mendedFetch },
      }),
  )
  return client.models.generateContentStream({
    model,
    contents,
    config: { ...config, abortSignal, automaticContinuation: false },
  })
}

/**
 * The client warns on the console when the environment holds both GOOGLE_API_KEY and GEMINI_API_KEY, whatever key it
 * is given. It is constructed in one go, so nobody else can be silenced meanwhile.
 */
const withoutWarnings = <A>(construct: () => A): A => {
  const { warn } = console
  console.warn = () => {}
  try {
    return construct()
  } finally {
    console.warn = warn
  }
}
