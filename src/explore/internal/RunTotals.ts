/** The sums of a run so far: its requests and their cost, and the batches that brought no purpose. Pure. */
import * as Spending from "../../agent/Spending.ts"
import type { TurnEvent } from "../../agent/TurnEvent.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as Exploration from "../Exploration.ts"
import type { IndexEvent } from "../IndexEvent.ts"
import type { Report } from "../Report.ts"

export interface RunTotals {
  readonly exploration: Exploration.Exploration
  /** The requests for the map, and their cost. Answers to other requests that are stored first do not count. */
  readonly ofMap: { readonly requests: number; readonly spending: Spending.Spending }
  /** Why batches brought no purpose, once for each of them. */
  readonly failures: ReadonlyArray<string>
  /** True if a model has refused a batch. */
  readonly isRefused: boolean
}

export const start = (model: ModelId): RunTotals => ({
  exploration: Exploration.start(model),
  ofMap: { requests: 0, spending: Spending.zero },
  failures: [],
  isRefused: false,
})

/** Adds an event that observers see. A batch that is sent again in parts has not failed. */
export const noteEvent = (totals: RunTotals, event: IndexEvent): RunTotals => {
  if (event._tag !== "BatchEnded") return totals
  const { explained, isRefused, isSplit, reason } = event
  const isFailed = explained === 0 && isSplit !== true && reason !== undefined
  return {
    ...totals,
    failures: isFailed ? [...totals.failures, reason] : totals.failures,
    isRefused: totals.isRefused || isRefused === true,
  }
}

/** Adds an event of the conversation in which a model writes the map. */
export const noteMapEvent = (totals: RunTotals, event: TurnEvent): RunTotals => ({
  ...totals,
  ofMap: {
    requests: totals.ofMap.requests + (event._tag === "RequestSent" ? 1 : 0),
    spending: Spending.step(totals.ofMap.spending, event),
  },
})

/** Adds the cost of an answer that no event told of. */
export const spend = (totals: RunTotals, spent: Spending.Spending): RunTotals => ({
  ...totals,
  exploration: { ...totals.exploration, spending: Spending.add(totals.exploration.spending, spent) },
})

/** Adds the cost of an answer for the map that no event told of. */
export const spendOnMap = (totals: RunTotals, spent: Spending.Spending): RunTotals => ({
  ...spend(totals, spent),
  ofMap: { ...totals.ofMap, spending: Spending.add(totals.ofMap.spending, spent) },
})

/** Counts the reasons of the failures, the most frequent first. */
export const countFailures = ({ failures }: RunTotals): Pick<Report, "failedBatches" | "failures"> => ({
  failedBatches: failures.length,
  failures: Array.from(
    Map.groupBy(failures, (reason) => reason),
    ([reason, { length: batches }]) => ({ reason, batches }),
  )
    .toSorted((one, other) => other.batches - one.batches)
    .slice(0, MAX_FAILURES),
})

const MAX_FAILURES = 10
