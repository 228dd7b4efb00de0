/** The progress of a run of the exploration, and what it has used. */
import * as Shape from "../base/Shape.ts"
import type { ModelId } from "../message/ModelId.ts"

export interface RunProgress {
  /** The model, as `provider/name`. */
  readonly model: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** The present activity of the run. */
  readonly activity: string
  /** The number of requests so far, and at its end. */
  readonly requests: number
  readonly expected: number
  /** Symbols to explain, once that is known. */
  readonly planned: number
  /** Purposes that are stored. */
  readonly written: number
  readonly tokens: { readonly input: number; readonly output: number }
  /** The cost in US dollars; undefined if a price is unknown. */
  readonly cost?: number | undefined
}

export const shape: Shape.Shape<RunProgress> = Shape.struct({
  model: Shape.text,
  startedAt: Shape.number,
  activity: Shape.text,
  requests: Shape.integer,
  expected: Shape.integer,
  planned: Shape.integer,
  written: Shape.integer,
  tokens: Shape.struct({ input: Shape.integer, output: Shape.integer }),
  cost: Shape.optional(Shape.number),
})

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
