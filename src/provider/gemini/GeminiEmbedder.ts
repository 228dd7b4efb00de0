/**
 * Embeddings of Gemini, by `batchEmbedContents` of its REST API: the SDK has no time limit and no batches of texts with
 * a task type each. Vertex AI is not supported, since its interface is another one.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ModelId } from "../../message/ModelId.ts"
import * as Embedder from "../../model/Embedder.ts"
import { ModelError, type Reason, Unsupported } from "../../model/ModelError.ts"
import * as Http from "../transport/http.ts"
import * as JsonAnswer from "../transport/jsonAnswer.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import { toReason } from "./errors.ts"
import { keyOf, type Options as ModelOptions } from "./Gemini.ts"

export interface Options extends ModelOptions {
  /** The number of dimensions, at least 128. The default is the model's own. */
  readonly dimensions?: number | undefined
}

/** Google accepts 100 texts in a request. Smaller batches lose less if a request fails. */
const MAX_TEXTS = 64

/** Sends nothing before the first request. An invalid key fails that request. */
export const make = (options: Options): Embedder.Service => {
  const model = new ModelId({ provider: "google", name: options.model })
  return Embedder.make({ model, dimensions: options.dimensions, maxTexts: MAX_TEXTS }, attempt(model, options))
}

const attempt = (id: ModelId, options: Options): Embedder.Attempt =>
  Either.match(checkOptions(options), {
    onLeft: (reason) => () => Effect.fail(new ModelError({ model: String(id), reason })),
    onRight: (key) => (texts, inputType) =>
      JsonAnswer.run({
        id,
        open: (signal) => post(options, key, encode(options, texts, inputType), signal),
        decode,
        toReason: (cause) => toReason(cause, key, Embedder.estimateTokens(texts)),
      }),
  })

const checkOptions = (options: Options): Either.Either<string, Reason> =>
  options.vertex === undefined
    ? keyOf(options)
    : Either.left(
        new Unsupported({ message: "embeddings are not available through Vertex AI: use a key of the Gemini API" }),
      )

/** Google has a task type for questions about code, and none for the code that is searched. */
const taskTypes: Readonly<Record<Embedder.InputType, string>> = {
  document: "RETRIEVAL_DOCUMENT",
  query: "CODE_RETRIEVAL_QUERY",
}

const encode = (
  { dimensions, model }: Options,
  texts: ReadonlyArray<string>,
  inputType: Embedder.InputType,
): object => ({
  requests: texts.map((text) => ({
    model: `models/${model}`,
    content: { parts: [{ text: text.toWellFormed() }] },
    taskType: taskTypes[inputType],
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  })),
})

const post = async (
  { baseUrl = "https://generativelanguage.googleapis.com", fetch = Http.globalFetch, model }: Options,
  key: string,
  body: object,
  signal: AbortSignal,
): Promise<unknown> => {
  const path = `/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`
  const response = await Http.strictFetch(fetch)(Http.endpoint(baseUrl, path), {
    method: "POST",
    headers: { ...Http.headersFor(""), "x-goog-api-key": key },
    body: JSON.stringify(body),
    signal,
  })
  return Http.readJson(response)
}

const decode = (json: unknown) =>
  Either.mapBoth(decodeAnswer(json), {
    onLeft: () => UnusableAnswer.notAnApiResponse,
    onRight: ({ embeddings, usageMetadata }) => ({
      vectors: embeddings.map(({ values }) => values),
      tokens: usageMetadata?.promptTokenCount,
    }),
  })

const decodeAnswer = Schema.decodeUnknownEither(
  Schema.Struct({
    embeddings: Schema.Array(Schema.Struct({ values: Schema.Array(Schema.Number) })),
    // Some models do not report it.
    usageMetadata: Schema.optional(Schema.Struct({ promptTokenCount: Schema.optional(Schema.Number) })),
  }),
)
