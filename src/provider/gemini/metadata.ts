/** The data that Gemini requires back with a part, kept under `google` in the metadata of its block. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

const GeminiMetadata = Schema.Struct({
  thoughtSignature: Schema.optional(Schema.String),
  /** The model that signed; other models reject its signatures. */
  model: Schema.optional(Schema.String),
  /** The provider's id of a call. */
  id: Schema.optional(Schema.String),
})
export type GeminiMetadata = typeof GeminiMetadata.Type

const decode = Schema.decodeUnknownOption(GeminiMetadata)

/** Returns an empty object if there is no metadata, or none that can be decoded. */
export const read = (meta: Meta | undefined): GeminiMetadata =>
  meta === undefined ? {} : Option.getOrElse(decode(meta.google), () => ({}))

/** Returns `undefined` if there is nothing to keep. */
export const write = (
  model: string,
  { id, thoughtSignature }: { readonly id?: string | undefined; readonly thoughtSignature?: string | undefined },
): Meta | undefined =>
  id === undefined && thoughtSignature === undefined
    ? undefined
    : {
        google: {
          ...(thoughtSignature !== undefined && { thoughtSignature, model }),
          ...(id !== undefined && { id }),
        } satisfies GeminiMetadata,
      }
