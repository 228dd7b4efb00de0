/** The data that a server requires back with a block, kept under its provider name. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

const ChatMetadata = Schema.Struct({
  /** The model that produced it; it is not sent to another model. */
  model: Schema.String,
  /** The field in which thinking arrived, kept in a block after that thinking. */
  thinking: Schema.optional(Schema.Literal("reasoning", "reasoning_content", "parts")),
  /** OpenRouter's `reasoning_details`, joined. They replace the field of the thinking. */
  details: Schema.optional(Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown }))),
  /** The `extra_content` of a call, which holds the signature of Google's models. */
  extra: Schema.optional(Schema.Unknown),
})
export type ChatMetadata = typeof ChatMetadata.Type

const decode = Schema.decodeUnknownOption(ChatMetadata)

/** Returns `undefined` if there is no metadata from this model. */
export const read = (meta: Meta | undefined, provider: string, model: string): ChatMetadata | undefined =>
  Option.getOrUndefined(Option.filter(decode(meta?.[provider]), (read) => read.model === model))

export const write = (provider: string, meta: ChatMetadata): Meta => ({ [provider]: meta })
