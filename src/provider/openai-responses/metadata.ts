/** What OpenAI wants back of its models' reasoning, kept under `openai-responses` in the metadata of a thinking block. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

const ResponsesMeta = Schema.Struct({
  /** The model that reasoned: another one cannot read it. */
  model: Schema.String,
  encrypted: Schema.String,
  summary: Schema.Array(Schema.String),
})
export type ResponsesMeta = typeof ResponsesMeta.Type

const decode = Schema.decodeUnknownOption(ResponsesMeta)

/** `undefined` where there is none that this model gave. */
export const read = (meta: Meta | undefined, model: string): ResponsesMeta | undefined =>
  Option.getOrUndefined(Option.filter(decode(meta?.[provider]), (read) => read.model === model))

export const write = (meta: ResponsesMeta): Meta => ({ [provider]: meta })

const provider = "openai-responses"
