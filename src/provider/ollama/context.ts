/**
 * How large a context to ask Ollama for: left to itself it takes a few thousand tokens, whatever the model can read,
 * and drops the beginning of what is longer without a word (FAULTS 2.3). Pure.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** In tokens, as far as the server tells. */
export interface Known {
  /** The most the model reads. */
  readonly limit: number | undefined
  /** What it has without being asked: set for the model, or as it is loaded. */
  readonly own: number | undefined
}

export const unknown: Known = { limit: undefined, own: undefined }

/** What every server has without being asked: up to this nothing needs to be known of the model. */
export const least = 4096

/** For a prompt of so many tokens and its answer, as far as that is likely to go: memory for all of it is taken at once. */
export const needed = (tokens: number, maxOutputTokens = usualAnswer): number =>
  tokens + Math.min(maxOutputTokens, longAnswer)

const usualAnswer = 2048

const longAnswer = 16_384

/**
 * A power of two, so that a conversation that grows has its model loaded anew a few times only, and never less than the
 * model has anyway or, where that is known, more than it reads.
 */
export const size = (needed: number, { limit = Number.POSITIVE_INFINITY, own = 0 }: Known): number =>
  Math.max(own, Math.min(limit, 2 ** Math.ceil(Math.log2(Math.max(needed, least)))))

/** Whether a prompt of this estimate is too long for certain: estimates are too high rather than too low. */
export const isBeyond = (tokens: number, { limit }: Known): boolean => limit !== undefined && certain * tokens > limit

/** Whether a server has read so much less than it was sent that it must have left some out. */
export const wasCut = (tokens: number, read: number): boolean =>
  read > 0 && tokens > least / 2 && read < certain * tokens

const certain = 0.6

/** From what `/api/show` says of a model, and `/api/ps` of those that are loaded. */
export const known = (model: string, shown: unknown, loaded: unknown): Known => {
  const show = Option.getOrUndefined(decodeShow(shown))
  const info = Object.entries(show?.model_info ?? {})
  const set = Number(/^num_ctx\s+(\d+)/m.exec(show?.parameters ?? "")?.[1] ?? 0)
  const running = Option.getOrUndefined(decodeList(loaded))?.models.find(({ name }) => isName(name, model))
  const own = Math.max(set, running?.context_length ?? 0)
  return {
    limit: info.flatMap(([key, value]) => (key.endsWith(".context_length") && isCount(value) ? [value] : []))[0],
    own: own === 0 ? undefined : own,
  }
}

/** The server writes the tag that a user leaves out. */
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
