/** Google's Gemini, through its own SDK. The only module that loads it. */
import type { FunctionDeclaration, GenerateContentResponse, GoogleGenAI } from "@google/genai"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { ModelId } from "../message/ModelId.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import { Misconfigured, ModelError, StreamIncomplete, Unauthorized } from "../model/ModelError.ts"
import type { Part } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import type { Tool } from "../tool/Tool.ts"
import * as Chunks from "./internal/chunks.ts"
import { declarations } from "./internal/geminiDeclarations.ts"
import { otherForm, toReason } from "./internal/geminiError.ts"
import { mendedFetch } from "./internal/geminiFetch.ts"
import * as GeminiReply from "./internal/geminiReply.ts"
import { type Encoded, encoder, type Form, tokensOf } from "./internal/geminiRequest.ts"

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
export const attempt = (options: Options): LanguageModel.Attempt =>
  Either.match(keyOf(options.apiKey), {
    onLeft: (reason) => () => Stream.fail(new ModelError({ model: String(idOf(options)), reason })),
    onRight: (key) => {
      const send = sender(options, key)
      return (request) =>
        Stream.catchAll(send(request, "signed"), (error) => {
          const form = otherForm(error.reason)
          return form === undefined ? Stream.fail(error) : send(request, form)
        })
    },
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

const sender = (options: Options, key: string) => {
  const encode = encoder(options.model)
  let client: Promise<GoogleGenAI> | undefined
  const open = async (encoded: Encoded, signal: AbortSignal) => {
    client ??= connect(options, key)
    return ask(await client, options.model, encoded, signal)
  }

  return (request: Request, form: Form): Stream.Stream<Part, ModelError> =>
    Stream.suspend(() => {
      const encoded = encode(request, form)
      const tools = request.tools.map((tool) => tool.name)
      const chunks = Chunks.make((signal) => open(encoded, signal), idleTimeout)
      const more = (answer: GeminiReply.Answer) =>
        chunks.next.pipe(
          Effect.mapError((cause) =>
            cause instanceof Chunks.Silence ? silent : toReason(cause, key, tokensOf(encoded)),
          ),
          Effect.flatMap(
            Option.match({
              onNone: () =>
                Either.map(
                  GeminiReply.end(answer, tools),
                  (finish) => [Chunk.of(finish), Option.none<GeminiReply.Answer>()] as const,
                ),
              onSome: (chunk) =>
                Either.map(
                  GeminiReply.step(options.model, answer, chunk),
                  ([next, parts]) => [Chunk.unsafeFromArray(parts), Option.some(next)] as const,
                ),
            }),
          ),
          Effect.mapError((reason) => new ModelError({ model: String(idOf(options)), reason, usage: answer.usage })),
        )
      return Stream.ensuring(Stream.paginateChunkEffect(GeminiReply.start, more), chunks.letGo)
    })
}

const silent = new StreamIncomplete({ message: `nothing was heard for ${Duration.format(idleTimeout)}` })

/** The SDK's retries and its time limit stay off: retries are the port's, silence is ours. */
const connect = async (
  { baseUrl = "https://generativelanguage.googleapis.com" }: Options,
  apiKey: string,
): Promise<GoogleGenAI> => {
  const { GoogleGenAI } = await import("@google/genai")
  return withoutWarnings(
    () =>
      new GoogleGenAI({
        apiKey,
        vertexai: false,
        httpOptions: { apiVersion: "v1beta", baseUrl, fetch: mendedFetch },
      }),
  )
}

/**
 * The history goes past the SDK, by an option of its own that puts a value in place of what is in the body: it is in
 * the shape of the wire, and the SDK would copy all of it, part by part, for each request. Its continuation stays off.
 */
const ask = (
  client: GoogleGenAI,
  model: string,
  { config, contents }: Encoded,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<GenerateContentResponse>> =>
  client.models.generateContentStream({
    model,
    contents: "",
    config: { ...config, abortSignal, automaticContinuation: false, httpOptions: { extraBody: { contents } } },
  })

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
