/**
 * Chooses the context size to request from Ollama: its default is a few thousand tokens, whatever the model supports,
 * and it silently drops the beginning of a longer conversation. Pure.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The context sizes of a model in tokens, as far as they are known. */
export interface ModelContext {
  /** The maximum of the model. */
  readonly limit: number | undefined
  /** The size used if a request asks for no other: the one configured for the model, or the one it is loaded with. */
  readonly current: number | undefined
}

export const unknownContext: ModelContext = { limit: undefined, current: undefined }

/** The default of every server. Up to this size the model does not need to be looked up. */
export const MIN_CONTEXT = 4096

/**
 * Returns the tokens needed for a prompt and its likely answer. It is no more, since memory for the whole context is
 * allocated at once.
 */
export const tokensNeeded = (tokens: number, maxOutputTokens = TYPICAL_ANSWER): number =>
  tokens + Math.min(maxOutputTokens, LONG_ANSWER)

const TYPICAL_ANSWER = 2048

const LONG_ANSWER = 16_384

/**
 * Returns a power of two, so that a growing conversation reloads the model only a few times. It is at least the model's
 * current size and at most its maximum, if they are known.
 */
export const contextSize = (needed: number, { limit = Number.POSITIVE_INFINITY, current = 0 }: ModelContext): number =>
  Math.max(current, Math.min(limit, 2 ** Math.ceil(Math.log2(Math.max(needed, MIN_CONTEXT)))))

/** Returns whether the prompt is certainly too long. Estimates tend to be too high. */
export const exceedsLimit = (tokens: number, { limit }: ModelContext): boolean =>
  limit !== undefined && MIN_RATIO * tokens > limit

/** Returns whether the server read so few tokens that it must have truncated the prompt. */
export const wasTruncated = (tokens: number, read: number): boolean =>
  read > 0 && tokens > MIN_CONTEXT / 2 && read < MIN_RATIO * tokens

const MIN_RATIO = 0.6

/** Reads the responses of `/api/show` for the model and of `/api/ps` for the loaded models. */
export const parseContext = (model: string, shown: unknown, loaded: unknown): ModelContext => {
  const show = Option.getOrUndefined(decodeShow(shown))
  const info = Object.entries(show?.model_info ?? {})
  const set = Number(/^num_ctx\s+(\d+)/m.exec(show?.parameters ?? "")?.[1] ?? 0)
  const running = Option.getOrUndefined(decodeList(loaded))?.models.find(({ name }) => isName(name, model))
  const current = Math.max(set, running?.context_length ?? 0)
  return {
    limit: info.flatMap(([key, value]) => (key.endsWith(".context_length") && isCount(value) ? [value] : []))[0],
    current: current === 0 ? undefined : current,
  }
}

/** The server adds the default tag. */
const isName = (name: string, model: string): boolean => name === model || name === `${model}:latest`

const isCount = (value: unknown): value is number => typeof value === "number" && value > 0

const decodeShow = Schema.decodeUnknownOption(
  Schema.Struct({
    model_info: Schema.optional(Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))),
    parameters: Schema.optional(Schema.String),
  }),
)

const decodeList = Schema.decodeUnknownOption(
  Schema.Struct({
    models: Schema.Array(Schema.Struct({ name: Schema.String, context_length: Schema.optional(Schema.Number) })),
  }),
)
