/** The progress of a run of the exploration, and what it has used. */
import * as Shape from "../base/Shape.ts"
import type { ModelId } from "../message/ModelId.ts"

const tokens = Shape.struct({ input: Shape.integer, output: Shape.integer })

export const shape = Shape.struct({
  /** The model, as `provider/name`. */
  model: Shape.text,
  /** Milliseconds since the epoch. */
  startedAt: Shape.number,
  /** The present activity of the run. */
  activity: Shape.text,
  /** The number of requests so far, and at its end. */
  requests: Shape.integer,
  expected: Shape.integer,
  /** Symbols to explain, once that is known. */
  planned: Shape.integer,
  /** Purposes that are stored. */
  written: Shape.integer,
  tokens,
  /** The cost in US dollars; undefined if a price is unknown. */
  cost: Shape.optional(Shape.number),
})
export type RunProgress = Shape.TypeOf<typeof shape>

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
