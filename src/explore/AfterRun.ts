/**
 * What follows the explanations in a run, within its lock, its budget and its report: the wiki of the project. The room
 * that writes it stands above this one, so a run knows it as a port.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { Index } from "../index/IndexStore.ts"
import { Usage } from "../message/Usage.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { Thinking } from "../model/Thinking.ts"
import type { Watch } from "./IndexObserver.ts"

/** By default nothing follows. */
export class AfterRun extends Context.Reference<AfterRun>()("vibe/explore/AfterRun", {
  defaultValue: (): Service => ({ run: () => Effect.succeed(undefined) }),
}) {}

export interface Service {
  /** Returns what was written; undefined if this run writes no wiki. */
  readonly run: (settings: Settings) => Effect.Effect<WikiReport | undefined, IndexError | FileError>
}

export interface Settings {
  readonly workspace: Workspace
  readonly index: Index
  readonly model: LanguageModel.Service
  readonly thinking: Thinking | undefined
  /** How many requests are under way at a time. */
  readonly parallel: number
  readonly watch: Watch
  /** Adds an answer to the usage and the cost of the run. */
  readonly spend: (usage: Usage, cost: number | undefined) => Effect.Effect<void>
}

const Judged = Schema.Struct({ statements: Schema.Number, corrected: Schema.Number, dropped: Schema.Number })

/** What a run did to the wiki; a part of the report. */
export const WikiReport = Schema.Struct({
  /**
   * How the writing ended:
   *
   * - `complete`: everything was asked for
   * - `budget`: the next request would have exceeded the budget of the run
   * - `failed`: `reason` says why
   */
  outcome: Schema.Literal("complete", "budget", "failed"),
  reason: Schema.NullOr(Schema.String),
  /** The names of the pages that were written in this run, and of those that are still missing. */
  written: Schema.Array(Schema.String),
  missing: Schema.Array(Schema.String),
  /** Statements of new pages that were held against the source: how many it corrected, and how many it did not support. */
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
export type WikiReport = typeof WikiReport.Type
