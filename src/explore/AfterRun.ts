/** The end of an exploration, at which the wiki is written while the index is still locked. */
import type * as Effect from "effect/Effect"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../index/IndexStore.ts"
import type { WikiReport } from "../index/WikiReport.ts"
import type { Usage } from "../message/Usage.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { Thinking } from "../model/Thinking.ts"
import type { Watch } from "./IndexObserver.ts"

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
