/** The spending of a session: its sum, and its latest answer. Pure. */
import * as Spending from "../agent/Spending.ts"

export interface Spent {
  readonly total: Spending.Spending
  /** The number of answers, complete and stopped. */
  readonly answers: number
  readonly last: Answer | undefined
  /** True if the tokens of at least one answer are estimated. */
  readonly isEstimated: boolean
}

export interface Answer {
  readonly spending: Spending.Spending
  readonly durationMs: number
  /** True if the answer was stopped before its provider had counted it. */
  readonly isEstimated: boolean
}

export const none: Spent = { total: Spending.zero, answers: 0, last: undefined, isEstimated: false }

/** Adds spending that is not for an answer, such as for a summary. */
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
