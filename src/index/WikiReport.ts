/** The part of a report that says what a run did to the wiki. */
import * as Schema from "effect/Schema"
import { Usage } from "../message/Usage.ts"

const Judged = Schema.Struct({
  statements: Schema.Number,
  corrected: Schema.Number,
  dropped: Schema.Number,
  /** Statements that the lines shown did not decide, or that the answer did not mention. They stay, and are marked. */
  undecided: Schema.Number,
})

/** Says what a model wrote of the wiki in a run. */
export const ModelReport = Schema.Struct({
  /**
   * How the writing ended:
   *
   * - `complete`: everything was asked for
   * - `budget`: the next request would have exceeded the budget of the run
   * - `failed`: `reason` says why
   */
  outcome: Schema.Literal("complete", "budget", "failed"),
  reason: Schema.NullOr(Schema.String),
  /** Names of the pages that it wrote, and of those that it is still to write. */
  written: Schema.Array(Schema.String),
  missing: Schema.Array(Schema.String),
  /** Statements of new pages that were held against the source. */
  checked: Judged,
  /** Statements whose symbols had changed since they were written. */
  judged: Judged,
  /**
   * Counts what was left out of answers: statements without a citation or text, and numbers that stand for no symbol.
   */
  refused: Schema.Struct({ statements: Schema.Number, numbers: Schema.Number }),
  requests: Schema.Number,
  usage: Usage,
  /** The cost in US dollars; null if a price is unknown. */
  cost: Schema.NullOr(Schema.Number),
})
export type ModelReport = typeof ModelReport.Type

/** Says what became of the wiki in a run. */
export const WikiReport = Schema.Struct({
  /** The number of its pages; 0 if it could not be written. */
  pages: Schema.Number,
  /** Names of the pages that are new or have changed. */
  written: Schema.Array(Schema.String),
  removed: Schema.Array(Schema.String),
  /** Pages that were left as they are: a person has changed them meanwhile, or they have a merge conflict. */
  left: Schema.Array(Schema.String),
  /** Statements of persons and models that cite what does not exist any more, or what has changed. */
  gone: Schema.Number,
  touched: Schema.Number,
  /** Why the wiki, or a part of it, could not be read or written; null if it could. */
  failure: Schema.NullOr(Schema.String),
  /** The pages that a model wrote; null if none was asked. */
  model: Schema.NullOr(ModelReport),
})
export type WikiReport = typeof WikiReport.Type
