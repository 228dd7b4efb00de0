/** Google's Gemini, through its own SDK. The only module that loads it. */
import type { FunctionDeclaration, GenerateContentResponse } from "@google/genai"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { ModelId } from "../message/ModelId.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import { Misconfigured, ModelError, StreamIncomplete, Unauthorized } from "../model/ModelError.ts"
import type { Part } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import type { Tool } from "../tool/Tool.ts"
import { abortable } from "./internal/abortable.ts"
import { declarations } from "./internal/geminiDeclarations.ts"
import { otherForm, toReason } from "./internal/geminiError.ts"
import { mendedFetch } from "./internal/geminiFetch.ts"
import * as GeminiReply from "./internal/geminiReply.ts"
import { type Encoded, encode, type Form, tokensOf } from "./internal/geminiRequest.ts"

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

/**
 * One request, without patience: `make` has that. One that is refused for its signatures, or for the order of its
 * calls and answers, is sent once more in a form that has none.
 */
export const attempt =
  (options: Options): LanguageModel.Attempt =>
  (request) =>
    Either.match(keyOf(options.apiKey), {
      onLeft: (reason) => Stream.fail(new ModelError({ model: String(idOf(options)), reason })),
      onRight: (key) =>
        Stream.catchAll(send(options, key, request, "signed"), (error) => {
          const form = otherForm(error.reason)
          return form === undefined ? Stream.fail(error) : send(options, key, request, form)
        }),
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

const send = (options: Options, key: string, request: Request, form: Form): Stream.Stream<Part, ModelError> =>
  Stream.suspend(() => {
    const answer = MutableRef.make(GeminiReply.start)
    const encoded = encode(options.model, request, form)
    const tools = request.tools.map((tool) => tool.name)
    return Stream.fromAsyncIterable(
      abortable((signal) => open(options, key, encoded, signal)),
      (cause) => toReason(cause, key, tokensOf(encoded)),
    ).pipe(
      Stream.timeoutFail(() => silent, idleTimeout),
      Stream.mapEffect((chunk) =>
        Either.map(GeminiReply.step(options.model, MutableRef.get(answer), chunk), ([next, parts]) => {
          MutableRef.set(answer, next)
          return parts
        }),
      ),
      Stream.flattenIterables,
      Stream.concat(Stream.suspend(() => Stream.fromEffect(GeminiReply.end(MutableRef.get(answer), tools)))),
      Stream.mapError(
        (reason) => new ModelError({ model: String(idOf(options)), reason, usage: MutableRef.get(answer).usage }),
      ),
    )
  })

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
