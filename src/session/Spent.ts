/** What a session has spent: its sum, and its latest answer. Pure. */
import * as Spending from "../loom/Spending.ts"

export interface Spent {
  readonly total: Spending.Spending
  /** Complete and stopped ones. */
  readonly answers: number
  readonly last: Answer | undefined
  /** At least one answer is counted by an estimate. */
  readonly isEstimated: boolean
}

export interface Answer {
  readonly spending: Spending.Spending
  readonly durationMs: number
  /** The answer was stopped before its provider had counted it. */
  readonly isEstimated: boolean
}

export const none: Spent = { total: Spending.zero, answers: 0, last: undefined, isEstimated: false }

/** What was spent beside the answers, such as for a summary. */
export const addOther = (spent: Spent, spending: Spending.Spending): Spent => ({
  ...spent,
  total: Spending.add(spent.total, spending),
})

export const add = (spent: Spent, answer: Answer): Spent => ({
  total: Spending.add(spent.total, answer.spending),
  answers: spent.answers + 1,
  last: answer,
  isEstimated: spent.isEstimated || answer.isEstimated,
})
