/** What is done at the end of an exploration, while its index is still locked, such as the writing of the wiki. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import { Usage } from "../message/Usage.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { Thinking } from "../model/Thinking.ts"
import type { Watch } from "./IndexObserver.ts"
import type { Index } from "./IndexStore.ts"

const Judged = Schema.Struct({
  statements: Schema.Number,
  corrected: Schema.Number,
  dropped: Schema.Number,
  /** Statements that the answer did not mention. */
  unjudged: Schema.Number,
})

/** What a model wrote of the wiki in a run. */
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
  /** What was left out of answers: statements without a citation or text, and numbers that stand for no symbol. */
  refused: Schema.Struct({ statements: Schema.Number, numbers: Schema.Number }),
  requests: Schema.Number,
  usage: Usage,
  /** In US dollars; null if a price is unknown. */
  cost: Schema.NullOr(Schema.Number),
})
export type ModelReport = typeof ModelReport.Type

/** What became of the wiki in a run. */
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
  /** What a model wrote of it; null if none was asked. */
  model: Schema.NullOr(ModelReport),
})
export type WikiReport = typeof WikiReport.Type

/** The end of a run: its index is up to date, and what the budget leaves can be used. */
export interface EndedRun {
  readonly index: Index
  readonly workspace: Workspace
  readonly model: LanguageModel.Service
  readonly thinking: Thinking | undefined
  /** How many requests may be under way at a time. */
  readonly parallel: number
  /** False if the model has explained nothing, so that it would write no pages either. */
  readonly canAsk: boolean
  readonly watch: Watch
  /** Adds an answer to the usage and the cost of the run. */
  readonly spend: (usage: Usage, cost: number | undefined) => Effect.Effect<void>
}

/** Writes the wiki. A failure is reported, and does not end the run, whose purposes are stored already. */
export type AfterRun = (run: EndedRun) => Effect.Effect<WikiReport>
