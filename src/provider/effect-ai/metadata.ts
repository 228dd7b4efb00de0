/** What the model behind an `@effect/ai` layer wants back with a block, kept under `effect-ai` in its metadata. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Meta } from "../../message/Block.ts"

/** By provider, as `@effect/ai` has it. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

const Kept = Schema.Struct({
  /** The model that said it: no other gets it back. */
  model: Schema.String,
  metadata: Schema.Record({ key: Schema.String, value: Schema.Record({ key: Schema.String, value: Schema.Unknown }) }),
})

const decode = Schema.decodeUnknownOption(Kept)

/** `undefined` where there is nothing to keep. */
export const write = (model: string, metadata: ProviderMetadata): Meta | undefined =>
  isEmpty(metadata) ? undefined : { "effect-ai": { model, metadata } }

/** For this model; `undefined` where it said nothing with the block, or another did. */
export const read = (model: string, meta: Meta | undefined): ProviderMetadata | undefined =>
  Option.getOrUndefined(
    Option.flatMap(decode(meta?.["effect-ai"]), (kept) =>
      kept.model === model ? Option.some(kept.metadata) : Option.none(),
    ),
  )

export const isEmpty = (metadata: ProviderMetadata): boolean =>
  Object.values(metadata).every((value) => value === undefined)

/** Whether it holds no more than what a part is called at OpenAI. */
export const isName = (metadata: ProviderMetadata): boolean =>
  Object.values(metadata).every((value = {}) => Object.keys(value).every((field) => field === "itemId"))

/** What is said later of one provider joins what was said before. */
export const merge = (before: ProviderMetadata, later: ProviderMetadata): ProviderMetadata => ({
  ...before,
  ...Object.fromEntries(Object.entries(later).map(([name, value]) => [name, { ...before[name], ...value }])),
})
