/** What a server that speaks chat completions wants back with a block, kept under its provider's name. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

const ChatMeta = Schema.Struct({
  /** The model that said it: another one gets nothing of this. */
  model: Schema.String,
  /** On what stands behind some thinking: where that came in. */
  thinking: Schema.optional(Schema.Literal("reasoning", "reasoning_content", "parts")),
  /** In place of it: OpenRouter's `reasoning_details`, pieces put together. */
  details: Schema.optional(Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown }))),
  /** A call's `extra_content`, in which Google's models sign it. */
  extra: Schema.optional(Schema.Unknown),
})
export type ChatMeta = typeof ChatMeta.Type

const decode = Schema.decodeUnknownOption(ChatMeta)

/** `undefined` where there is none that this model gave. */
export const read = (meta: Meta | undefined, provider: string, model: string): ChatMeta | undefined =>
  Option.getOrUndefined(Option.filter(decode(meta?.[provider]), (read) => read.model === model))

export const write = (provider: string, meta: ChatMeta): Meta => ({ [provider]: meta })
