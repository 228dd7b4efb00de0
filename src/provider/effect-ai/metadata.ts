/**
 * The data that the model behind an `@effect/ai` layer requires back with a block, kept under `effect-ai` in its
 * metadata.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

/** The metadata by provider, as in `@effect/ai`. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

const StoredMetadata = Schema.Struct({
  /** The model that produced it; it is not sent to another model. */
  model: Schema.String,
  metadata: Schema.Record({ key: Schema.String, value: Schema.Record({ key: Schema.String, value: Schema.Unknown }) }),
})

const decode = Schema.decodeUnknownOption(StoredMetadata)

/** Returns `undefined` if there is nothing to keep. */
export const write = (model: string, metadata: ProviderMetadata): Meta | undefined =>
  isEmpty(metadata) ? undefined : { "effect-ai": { model, metadata } }

/** Returns `undefined` if there is no metadata from this model. */
export const read = (model: string, meta: Meta | undefined): ProviderMetadata | undefined =>
  Option.getOrUndefined(
    Option.flatMap(decode(meta?.["effect-ai"]), (stored) =>
      stored.model === model ? Option.some(stored.metadata) : Option.none(),
    ),
  )

export const isEmpty = (metadata: ProviderMetadata): boolean =>
  Object.values(metadata).every((value) => value === undefined)

/** Returns whether the metadata holds nothing but OpenAI's item id. */
export const isName = (metadata: ProviderMetadata): boolean =>
  Object.values(metadata).every((value = {}) => Object.keys(value).every((field) => field === "itemId"))

/** Merges later metadata into earlier, by provider. */
export const merge = (earlier: ProviderMetadata, later: ProviderMetadata): ProviderMetadata => ({
  ...earlier,
  ...Object.fromEntries(Object.entries(later).map(([name, value]) => [name, { ...earlier[name], ...value }])),
})
