/** The data that Anthropic requires back with thinking, kept under `anthropic` in the metadata of a thinking block. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

const AnthropicMetadata = Schema.Union(
  Schema.Struct({
    /** The model that produced it; it is not sent to another model. */
    model: Schema.String,
    /** The signed text. It was already emitted in earlier blocks. */
    thinking: Schema.String,
    signature: Schema.String,
  }),
  Schema.Struct({
    model: Schema.String,
    /** The encrypted thinking. */
    redacted: Schema.String,
  }),
)
export type AnthropicMetadata = typeof AnthropicMetadata.Type

const decode = Schema.decodeUnknownOption(AnthropicMetadata)

/** Returns `undefined` if there is no metadata from this model. */
export const read = (meta: Meta | undefined, model: string): AnthropicMetadata | undefined =>
  Option.getOrUndefined(Option.filter(decode(meta?.[provider]), (read) => read.model === model))

export const write = (meta: AnthropicMetadata): Meta => ({ [provider]: meta })

const provider = "anthropic"
