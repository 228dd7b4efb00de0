/** Embeddings of models on this machine or another server of the user, through Ollama's `/api/embed`. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ModelId } from "../../message/ModelId.ts"
import * as Embedder from "../../model/Embedder.ts"
import { ModelError } from "../../model/ModelError.ts"
import { loadingTimeout } from "../transport/attempt.ts"
import * as JsonAnswer from "../transport/jsonAnswer.ts"
import * as UnusableAnswer from "../transport/unusableAnswer.ts"
import * as OllamaErrors from "./errors.ts"
import { endpointOf, fetchJson, type Options as ModelOptions } from "./Ollama.ts"

export interface Options extends ModelOptions {
  /** The number of dimensions. The default is the model's own. */
  readonly dimensions?: number | undefined
}

/** The most texts of a request, which take a few seconds with a small model and no graphics card. */
const MAX_TEXTS = 32

/** Sends nothing before the first request. An invalid address fails that request. */
export const make = (options: Options): Embedder.Service => {
  const model = new ModelId({ provider: "ollama", name: options.model })
  return Embedder.make({ model, dimensions: options.dimensions, maxTexts: MAX_TEXTS }, attempt(model, options))
}

const attempt = (id: ModelId, { dimensions, model, ...server }: Options): Embedder.Attempt =>
  Either.match(endpointOf(server), {
    onLeft: (reason) => () => Effect.fail(new ModelError({ model: String(id), reason })),
    onRight: (endpoint) => (texts) =>
      JsonAnswer.run({
        id,
        open: (signal) => {
          const input = texts.map((text) => text.toWellFormed())
          // The texts are short. If one is too long for a small model, losing its end is better than a failure.
          const body = { model, input, truncate: true, ...(dimensions !== undefined && { dimensions }) }
          return fetchJson(endpoint, "/api/embed", body, signal)
        },
        decode,
        toReason: (cause) => OllamaErrors.toReason(cause, { ...endpoint, model }),
        timeout: loadingTimeout,
      }),
  })

const decode = (json: unknown) =>
  Either.mapBoth(decodeAnswer(json), {
    onLeft: () => UnusableAnswer.notAnApiResponse,
    onRight: ({ embeddings, prompt_eval_count }) => ({ vectors: embeddings, tokens: prompt_eval_count }),
  })

const decodeAnswer = Schema.decodeUnknownEither(
  Schema.Struct({
    embeddings: Schema.Array(Schema.Array(Schema.Number)),
    prompt_eval_count: Schema.optional(Schema.Number),
  }),
)
