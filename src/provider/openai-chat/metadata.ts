/** What a server requires back with a block, kept under its provider name. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

const ChatMetadata = Schema.Struct({
  /** The model that produced it; it is not sent to another model. */
  model: Schema.String,
  /** In a block after some thinking: the field in which that arrived. */
  thinking: Schema.optional(Schema.Literal("reasoning", "reasoning_content", "parts")),
  /** Instead of it: OpenRouter's `reasoning_details`, joined. */
  details: Schema.optional(Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown }))),
  /** The `extra_content` of a call, which holds the signature of Google's models. */
  extra: Schema.optional(Schema.Unknown),
})
export type ChatMetadata = typeof ChatMetadata.Type

const decode = Schema.decodeUnknownOption(ChatMetadata)

/** `undefined` where there is none from this model. */
export const read = (meta: Meta | undefined, provider: string, model: string): ChatMetadata | undefined =>
  Option.getOrUndefined(Option.filter(decode(meta?.[provider]), (read) => read.model === model))

export const write = (provider: string, meta: ChatMetadata): Meta => ({ [provider]: meta })
