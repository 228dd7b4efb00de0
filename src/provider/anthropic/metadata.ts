/** What Anthropic wants back of its models' thinking, kept under `anthropic` in the metadata of a thinking block. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

const AnthropicMeta = Schema.Union(
  Schema.Struct({
    /** The model that thought: another one gets nothing of this. */
    model: Schema.String,
    /** What is signed: shown before, in blocks of its own, when it was not yet. */
    thinking: Schema.String,
    signature: Schema.String,
  }),
  Schema.Struct({
    model: Schema.String,
    /** Thinking that nobody but the provider can read. */
    redacted: Schema.String,
  }),
)
export type AnthropicMeta = typeof AnthropicMeta.Type

const decode = Schema.decodeUnknownOption(AnthropicMeta)

/** `undefined` where there is none that this model gave. */
export const read = (meta: Meta | undefined, model: string): AnthropicMeta | undefined =>
  Option.getOrUndefined(Option.filter(decode(meta?.[provider]), (read) => read.model === model))

export const write = (meta: AnthropicMeta): Meta => ({ [provider]: meta })

const provider = "anthropic"
