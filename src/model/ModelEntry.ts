/** What the catalogue says of one model. */
import * as Schema from "effect/Schema"
import type { Limits } from "./Limits.ts"

const Tokens = Schema.Int.pipe(Schema.positive())

const Dollars = Schema.NonNegative.pipe(Schema.finite())

/** In US dollars for a million tokens. A provider that asks more for a long prompt asks at least this. */
export const Price = Schema.Struct({
  input: Dollars,
  output: Dollars,
  /** Of input that the provider still had from an earlier request. */
  cached: Schema.optional(Dollars),
})
export type Price = typeof Price.Type

/** What it takes and gives besides text: `image`, `audio`, `video`, `pdf`. */
export const Modalities = Schema.Struct({
  input: Schema.Array(Schema.String),
  output: Schema.Array(Schema.String),
})
export type Modalities = typeof Modalities.Type

/** A model on its way out. */
export const Deprecation = Schema.Struct({
  /** The name of the model that takes its place, at the same provider. */
  successor: Schema.optional(Schema.NonEmptyString),
  /** The first day on which it may be gone: `2026-10-16`. */
  from: Schema.optional(Schema.String),
  /** Who says so. */
  source: Schema.optional(Schema.String),
})
export type Deprecation = typeof Deprecation.Type

/** Every part may be unknown. */
export const ModelEntry = Schema.Struct({
  context: Schema.optional(Tokens),
  output: Schema.optional(Tokens),
  total: Schema.optional(Tokens),
  price: Schema.optional(Price),
  modalities: Schema.optional(Modalities),
  deprecation: Schema.optional(Deprecation),
})
export type ModelEntry = typeof ModelEntry.Type

/** What is known of any of them is known; where several know it, the first is right. */
export const over = (...entries: ReadonlyArray<ModelEntry>): ModelEntry =>
  Object.fromEntries(
    entries.toReversed().flatMap((entry) => Object.entries(entry).filter(([, value]) => value !== undefined)),
  )

/** With what is taken of a model where its entry does not say. */
export const limits = ({ context, output, total }: ModelEntry, unknown: Limits): Limits => ({
  context: context ?? unknown.context,
  output: output ?? unknown.output,
  total,
})
