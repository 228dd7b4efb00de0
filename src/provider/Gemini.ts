/** Google's Gemini, through its own SDK. The only module that loads it. */
import type { FunctionDeclaration, GenerateContentResponse, GoogleGenAI } from "@google/genai"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ModelId } from "../message/ModelId.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import { Misconfigured, ModelError, StreamIncomplete, Unauthorized } from "../model/ModelError.ts"
import type { Part } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import type { Tool } from "../tool/Tool.ts"
import * as Chunks from "./internal/chunks.ts"
import { withContents } from "./internal/geminiBody.ts"
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
    onLeft: (reason) => () => Effect.fail(new ModelError({ model: String(idOf(options)), reason })),
    onRight: (key) => {
      const send = sender(options, key)
      return (request, say) =>
        Effect.catchAll(send(request, "signed", say), (error) => {
          const form = otherForm(error.reason)
          return form === undefined ? Effect.fail(error) : send(request, form, say)
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

  return (request: Request, form: Form, say: LanguageModel.Say): Effect.Effect<void, ModelError> =>
    Effect.suspend(() => {
      const encoded = encode(request, form)
      const tools = request.tools.map((tool) => tool.name)
      let answer = GeminiReply.start

      const read = (chunks: ReadonlyArray<GenerateContentResponse>) =>
        Either.gen(function* () {
          const parts: Array<Part> = []
          for (const chunk of chunks) {
            const [next, said] = yield* GeminiReply.step(options.model, answer, chunk)
            answer = next
            parts.push(...said)
          }
          return parts
        })

      const hear = ({ next }: Chunks.Chunks<GenerateContentResponse>) =>
        Effect.gen(function* () {
          while (true) {
            const heard = yield* Effect.mapError(next, (cause) =>
              cause instanceof Chunks.Silence ? silent : toReason(cause, key, tokensOf(encoded)),
            )
            if (Option.isNone(heard)) return yield* say([yield* GeminiReply.end(answer, tools)])
            yield* say(yield* read(heard.value))
          }
        })

      return Effect.acquireUseRelease(
        Chunks.make((signal) => open(encoded, signal), idleTimeout),
        hear,
        ({ letGo }) => letGo,
      ).pipe(Effect.mapError((reason) => new ModelError({ model: String(idOf(options)), reason, usage: answer.usage })))
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
    () => new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { apiVersion: "v1beta", baseUrl } }),
  )
}

/** The SDK's continuation stays off, too. What it takes for the contents gives way to ours in the body. */
const ask = (
  client: GoogleGenAI,
  model: string,
  { config, contents }: Encoded,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<GenerateContentResponse>> => {
  const send: typeof fetch = (input, init) =>
    mendedFetch(input, { ...init, body: withContents(String(init?.body), contents) })
  return client.models.generateContentStream({
    model,
    contents: "",
    config: { ...config, abortSignal, automaticContinuation: false, httpOptions: { fetch: send } },
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
