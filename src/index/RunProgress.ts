/** The progress of a run of the exploration, and what it has used. */
import * as Schema from "effect/Schema"
import type { ModelId } from "../message/ModelId.ts"

export const Tokens = Schema.Struct({ input: Schema.Int, output: Schema.Int })

export const RunProgress = Schema.Struct({
  /** The model, as `provider/name`. */
  model: Schema.String,
  /** Milliseconds since the epoch. */
  startedAt: Schema.Number,
  /** The present activity of the run. */
  activity: Schema.String,
  /** The number of requests so far, and at its end. */
  requests: Schema.Int,
  expected: Schema.Int,
  /** Symbols to explain, once that is known. */
  planned: Schema.Int,
  /** Purposes that are stored. */
  written: Schema.Int,
  tokens: Tokens,
  /** The cost in US dollars; undefined if a price is unknown. */
  cost: Schema.optional(Schema.Number),
})
export type RunProgress = typeof RunProgress.Type

export const start = (model: ModelId, startedAt: number): RunProgress => ({
  model: String(model),
  startedAt,
  activity: "begins",
  requests: 0,
  expected: 0,
  planned: 0,
  written: 0,
  tokens: { input: 0, output: 0 },
})
