/** Embeddings of OpenAI and compatible servers: LM Studio, llama.cpp, vLLM, Mistral, OpenRouter. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ModelId } from "../../message/ModelId.ts"
import * as Embedder from "../../model/Embedder.ts"
import { ModelError } from "../../model/ModelError.ts"
import * as OpenAiClient from "../shared/openAiClient.ts"
import { toReason } from "../shared/openAiErrors.ts"
import { field } from "../shared/wireJson.ts"
import { loadingTimeout } from "../transport/attempt.ts"
import * as Http from "../transport/http.ts"
import * as JsonAnswer from "../transport/jsonAnswer.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import { keyOf, type Options as ModelOptions } from "./OpenAiCompatible.ts"

export interface Options extends ModelOptions {
  /** The number of dimensions, sent as `dimensions` if it is given. Some models and servers do not accept it. */
  readonly dimensions?: number | undefined
}

/** The most texts of a request. OpenAI accepts 2,048 texts and 300,000 tokens; other servers accept fewer. */
const MAX_TEXTS = 64
const MAX_TEXTS_LOCAL = 32

/** Sends nothing before the first request. An invalid key fails that request. */
export const make = (options: Options): Embedder.Service => {
  const { dimensions, server } = options
  const model = new ModelId({ provider: server.name, name: options.model })
  const maxTexts = server.loads === true ? MAX_TEXTS_LOCAL : MAX_TEXTS
  return Embedder.make({ model, dimensions, maxTexts }, attempt(model, options))
}

const attempt = (id: ModelId, options: Options): Embedder.Attempt =>
  Either.match(keyOf(options), {
    onLeft: (reason) => () => Effect.fail(new ModelError({ model: String(id), reason })),
    onRight: (key) => {
      const { baseUrl, dimensions, server, fetch = Http.globalFetch, model } = options
      const client = OpenAiClient.make({ key, baseUrl: baseUrl ?? server.baseUrl, fetch, title: server.title })
      return (texts) =>
        JsonAnswer.run({
          id,
          open: client.postForJson("/embeddings", {
            model,
            input: texts.map((text) => text.toWellFormed()),
            encoding_format: "float",
            ...(dimensions !== undefined && { dimensions }),
          }),
          decode,
          toReason: (cause) => toReason(cause, key),
          timeout: server.loads === true ? loadingTimeout : undefined,
        })
    },
  })

const decode = (json: unknown) =>
  Either.mapBoth(decodeAnswer(json), {
    onLeft: () => UnusableAnswer.notAnApiResponse,
    onRight: ({ data, usage }) => ({
      // `index` gives the order, but servers may omit it.
      vectors: data.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0)).map(({ embedding }) => embedding),
      tokens: usage?.prompt_tokens ?? undefined,
    }),
  })

const decodeAnswer = Schema.decodeUnknownEither(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ index: field(Schema.Number), embedding: Schema.Array(Schema.Number) })),
    usage: field(Schema.Struct({ prompt_tokens: field(Schema.Number) })),
  }),
)
