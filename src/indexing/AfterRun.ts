/** The work at the end of an exploration, while its index is still locked, such as the writing of the wiki. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { Thinking } from "../model/Thinking.ts"
import type { Index } from "./IndexStore.ts"

/** The result of writing the wiki in a run. */
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
}

/** Writes the wiki. A failure is reported, and does not end the run, whose purposes are stored already. */
export type AfterRun = (run: EndedRun) => Effect.Effect<WikiReport>
