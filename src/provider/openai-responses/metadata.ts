/**
 * The data that OpenAI requires back with reasoning, kept under `openai-responses` in the metadata of a thinking block.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

const ResponsesMetadata = Schema.Struct({
  /** The model that produced it; another one cannot decrypt it. */
  model: Schema.String,
  encrypted: Schema.String,
  summary: Schema.Array(Schema.String),
})
export type ResponsesMetadata = typeof ResponsesMetadata.Type

const decode = Schema.decodeUnknownOption(ResponsesMetadata)

/** Returns `undefined` if there is no metadata from this model. */
export const read = (meta: Meta | undefined, model: string): ResponsesMetadata | undefined =>
  Option.getOrUndefined(Option.filter(decode(meta?.[provider]), (read) => read.model === model))

export const write = (meta: ResponsesMetadata): Meta => ({ [provider]: meta })

const provider = "openai-responses"
