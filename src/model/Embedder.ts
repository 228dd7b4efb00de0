/**
 * The port to models that turn texts into vectors (embeddings). An adapter supplies one request. `make` adds retries
 * and checks the answer, the same way for all adapters.
 */

import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { withSpan } from "../base/Tracing.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as Tokens from "../message/Tokens.ts"
import * as Usage from "../message/Usage.ts"
import type { Price } from "./ModelEntry.ts"
import { Misconfigured, ModelError, StreamIncomplete } from "./ModelError.ts"
import * as Retry from "./Retry.ts"
import { RetryPolicy } from "./Retry.ts"

export interface Service {
  /**
   * The id in the form `provider/model/dimensions/version`. Vectors of embedders with different ids cannot be compared.
   */
  readonly id: string
  readonly model: ModelId
  /** Undefined if the model decides. In that case only its answers show the number. */
  readonly dimensions: number | undefined
  /** Undefined if the price is unknown. A model that is free of charge has all zeros. */
  readonly price?: Price | undefined
  /** True if the model runs on the user's own machine, so that requests at the same time are no faster. */
  readonly isLocal?: boolean | undefined
  /** The most texts of one request. */
  readonly maxTexts: number
  /**
   * Returns the vectors of texts that are searched, in the order of the texts, and their usage. The texts may have any
   * length.
   */
  readonly embedDocuments: (texts: ReadonlyArray<string>, observer?: Observer) => Effect.Effect<Embedded, ModelError>
  /** Returns the vector of a question. */
  readonly embedQuery: (text: string) => Effect.Effect<Embedded, ModelError>
}

export interface Embedded {
  /** The vectors, all of the same dimensions and finite. None of them is zero. */
  readonly vectors: ReadonlyArray<Float32Array>
  readonly usage: Usage.Usage
}

export interface Observer {
  /** Called before the delay of each retry. */
  readonly retry?: Retry.OnRetry | undefined
}

/** Tells if texts are searched or are a question, since some models embed the two differently. */
export type InputType = "document" | "query"

/**
 * Makes one request, without retries. Returns the vectors of the texts, in their order, and the tokens if the server
 * reports them.
 */
export type Attempt = (
  texts: ReadonlyArray<string>,
  inputType: InputType,
) => Effect.Effect<
  { readonly vectors: ReadonlyArray<ReadonlyArray<number>>; readonly tokens?: number | undefined },
  ModelError
>

export interface Options {
  readonly model: ModelId
  /** The dimensions that the server is asked for. Undefined if the model decides. */
  readonly dimensions: number | undefined
  readonly maxTexts: number
}

/** The last part of an id. Raise it with a change that gives the same texts other vectors. */
const VERSION = 1

/** Returns the id of the vectors of a model. */
export const idOf = (model: ModelId, dimensions: number | undefined): string =>
  `${String(model)}/${dimensions ?? "own"}/${VERSION}`

/**
 * Returns the dimensions to ask for if the user names none. Only some models have such a default: those that are
 * trained so that the beginning of a vector is a shorter vector. With 256 dimensions OpenAI's large model is better
 * than its predecessor with 1,536, according to its announcement, and 200,000 symbols take 51 MB.
 */
export const defaultDimensions = ({ name, provider }: ModelId): number | undefined =>
  (provider === "google" && /^gemini-embedding/.test(name)) || (provider === "openai" && /^text-embedding-3/.test(name))
    ? 256
    : undefined

export const make = ({ dimensions, maxTexts, model }: Options, attempt: Attempt): Service => {
  const embed = (texts: ReadonlyArray<string>, inputType: InputType, { retry = ignore }: Observer = {}) =>
    Effect.gen(function* () {
      const retries = yield* Schedule.driver(Retry.retryTransient(yield* RetryPolicy, retry))
      const once = Effect.flatMap(attempt(texts, inputType), (answer) => check(answer, texts, { dimensions, model }))
      const ask: Effect.Effect<Embedded, ModelError> = Effect.catchAll(once, (error) =>
        Effect.matchEffect(retries.next(error), { onFailure: () => Effect.fail(error), onSuccess: () => ask }),
      )
      return yield* ask
    }).pipe(withSpan("Embedder.embed", { model: String(model) }))
  return {
    id: idOf(model, dimensions),
    model,
    dimensions,
    maxTexts,
    embedDocuments: (texts, observer) => embed(texts, "document", observer),
    embedQuery: (text) => embed([text], "query"),
  }
}

const ignore: Retry.OnRetry = () => Effect.void

/** Estimates the tokens of texts as `message/Tokens` does. */
export const estimateTokens = (texts: ReadonlyArray<string>): number =>
  Math.ceil(texts.reduce((sum, text) => sum + 0.3 * Tokens.lengthOf(text), 0))

/** The most dimensions that are accepted: twice those of the largest models of today. */
const MAX_DIMENSIONS = 8_192

const check = (
  { tokens, vectors }: Effect.Effect.Success<ReturnType<Attempt>>,
  texts: ReadonlyArray<string>,
  { dimensions, model }: Pick<Options, "dimensions" | "model">,
): Effect.Effect<Embedded, ModelError> => {
  const usage = { ...Usage.none, inputTokens: tokens ?? estimateTokens(texts) }
  const fail = (reason: ModelError["reason"]) => new ModelError({ model: String(model), reason, usage })
  const length = vectors[0]?.length ?? 0
  if (vectors.length !== texts.length) {
    const message = `the server returned ${vectors.length} vectors for ${texts.length} texts`
    return fail(new StreamIncomplete({ message }))
  }
  if (vectors.some((vector) => vector.length !== length) || length > MAX_DIMENSIONS) {
    return fail(new Misconfigured({ message: "the server returned vectors of different dimensions, or of too many" }))
  }
  if (dimensions !== undefined && length !== dimensions && vectors.length > 0) {
    const message = `the server returned ${length} dimensions instead of ${dimensions}: set embedding.dimensions to ${length}, or choose a model that can be shortened`
    return fail(new Misconfigured({ message }))
  }
  const floats = vectors.map((vector) => Float32Array.from(vector))
  // A zero vector has no direction, so that it has no cosine with any other.
  if (floats.some((vector) => !vector.every(Number.isFinite) || vector.every((value) => value === 0))) {
    return fail(new StreamIncomplete({ message: "the server returned a vector that is zero or not a number" }))
  }
  return Effect.succeed({ vectors: floats, usage })
}

/**
 * The port from a model id to its embedder. Its implementation in `app/` loads an adapter when one of its models is
 * opened.
 */
export class EmbedderRegistry extends Context.Tag("vibe/model/EmbedderRegistry")<EmbedderRegistry, Registry>() {}

export interface Registry {
  /**
   * Opens an embedder and sends nothing. Fails with `Unauthorized` if a key is missing. Fails with `Misconfigured` or a
   * `ConfigError` if the provider is unknown, has no embeddings, or has invalid settings. If `dimensions` is undefined,
   * the provider's default is used.
   */
  readonly open: (id: ModelId, dimensions: number | undefined) => Effect.Effect<Service, ConfigError | ModelError>
}
