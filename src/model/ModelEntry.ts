/** The catalogue entry of one model. */
import * as Schema from "effect/Schema"
import type { Limits } from "./Limits.ts"

const Tokens = Schema.Int.pipe(Schema.positive())

const Dollars = Schema.NonNegative.pipe(Schema.finite())

/** Prices in US dollars per million tokens. If a provider charges more for long prompts, this is the lower price. */
export const Price = Schema.Struct({
  input: Dollars,
  output: Dollars,
  /** The price of input that the provider had cached. */
  cached: Schema.optional(Dollars),
})
export type Price = typeof Price.Type

/** The input and output besides text: `image`, `audio`, `video`, `pdf`. */
export const Modalities = Schema.Struct({
  input: Schema.Array(Schema.String),
  output: Schema.Array(Schema.String),
})
export type Modalities = typeof Modalities.Type

/** The deprecation of a model. */
export const Deprecation = Schema.Struct({
  /** The name of the model's replacement at the same provider. */
  successor: Schema.optional(Schema.NonEmptyString),
  /** The first day on which the model may be unavailable, such as `2026-10-16`. */
  from: Schema.optional(Schema.String),
  /** The page that announces the deprecation. */
  source: Schema.optional(Schema.String),
})
export type Deprecation = typeof Deprecation.Type

/** The entry of a model. Every field may be unknown. */
export const ModelEntry = Schema.Struct({
  context: Schema.optional(Tokens),
  output: Schema.optional(Tokens),
  total: Schema.optional(Tokens),
  price: Schema.optional(Price),
  modalities: Schema.optional(Modalities),
  deprecation: Schema.optional(Deprecation),
})
export type ModelEntry = typeof ModelEntry.Type

/** Merges entries. Earlier ones take precedence. */
export const over = (...entries: ReadonlyArray<ModelEntry>): ModelEntry =>
  Object.fromEntries(
    entries.toReversed().flatMap((entry) => Object.entries(entry).filter(([, value]) => value !== undefined)),
  )

/** Returns the limits of an entry, with those of `unknown` for missing ones. */
export const limits = ({ context, output, total }: ModelEntry, unknown: Limits): Limits => ({
  context: context ?? unknown.context,
  output: output ?? unknown.output,
  total,
  ...(context === undefined && unknown.isAssumed === true && { isAssumed: true }),
})
