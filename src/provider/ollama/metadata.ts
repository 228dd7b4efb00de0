/**
 * The name of the model that made a call, kept under `ollama` in the metadata of the call. That model gets its
 * preceding thinking back.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

const decode = Schema.decodeUnknownOption(Schema.Struct({ model: Schema.String }))

export const write = (model: string): Meta => ({ ollama: { model } })

/** Returns whether this model made the call. */
export const isFrom = (model: string, meta: Meta | undefined): boolean =>
  Option.exists(decode(meta?.ollama), (made) => made.model === model)
