/**
 * The state of a run of batches: the requests that it may still send, what they have brought, and how it ends. Pure.
 */

/** `Failure` is what a run can fail with. */
export interface RunState<Failure> {
  /** Why the run ends before all batches are sent. */
  readonly end: End<Failure> | undefined
  /** How many batches may be under way at a time. */
  readonly allowed: number
  /** The requests that the current exploration may still send. */
  readonly requestsLeft: number
  /** The requests that the run will have made, as far as its batches are planned. */
  readonly expected: number
  /** Batches that were sent. */
  readonly sent: number
  /** Purposes that were stored. */
  readonly recorded: number
  /** Batches in a row without a single purpose. */
  readonly fruitless: number
  /** True if there was an answer, of whatever kind. */
  readonly isAnswered: boolean
  readonly isLastRefused: boolean
}

export type End<Failure> =
  | { readonly _tag: "Budget" }
  | { readonly _tag: "Fruitless" }
  | { readonly _tag: "Failed"; readonly failure: Failure }

export interface Outcome {
  /**
   * How the run ended:
   *
   * - `complete`: every batch was sent, or the model answered several in a row with something else than purposes
   * - `unexplained`: all requests for batches were refused, or several in a row, which ended the run
   * - `limit`: the requests were used up
   * - `budget`: the next request would have exceeded the budget of the run
   */
  readonly outcome: "complete" | "unexplained" | "limit" | "budget"
  /** Batches that were sent. */
  readonly batches: number
  /** True if it ended because several batches in a row brought nothing. */
  readonly isFruitless?: boolean
}

export const initial = (options: {
  readonly parallel: number
  readonly maxRequests: number
  readonly requestsLeft: number
}): RunState<never> => ({
  end: undefined,
  allowed: Math.max(1, options.parallel),
  requestsLeft: options.requestsLeft,
  expected: options.maxRequests - options.requestsLeft,
  sent: 0,
  recorded: 0,
  fruitless: 0,
  isAnswered: false,
  isLastRefused: false,
})

/**
 * Takes a request for a worker, numbered from 0. Returns false if it may send none: those beyond the allowed number.
 */
export const takeRequest = <Failure>(
  state: RunState<Failure>,
  worker: number,
): readonly [isTaken: boolean, state: RunState<Failure>] =>
  state.end === undefined && worker < state.allowed && state.requestsLeft > 0
    ? [true, { ...state, requestsLeft: state.requestsLeft - 1 }]
    : [false, state]

/** Gives back a request that was taken and not sent. */
export const giveBack = <Failure>(state: RunState<Failure>): RunState<Failure> => ({
  ...state,
  requestsLeft: state.requestsLeft + 1,
})

/** The first reason to end is the one that counts. */
export const stop = <Failure>(state: RunState<Failure>, reason: End<Failure>): RunState<Failure> => ({
  ...state,
  end: state.end ?? reason,
})

/** Halves the number of batches under way, since the provider limits the rate. */
export const slowDown = <Failure>(state: RunState<Failure>): RunState<Failure> => ({
  ...state,
  allowed: Math.max(1, Math.floor(state.allowed / 2)),
})

export const noteAnswer = <Failure>(state: RunState<Failure>, isRefused: boolean): RunState<Failure> => ({
  ...state,
  isAnswered: state.isAnswered || !isRefused,
  isLastRefused: isRefused,
})

/** Counts a batch that brought so many purposes. */
export const noteBatch = <Failure>(state: RunState<Failure>, explained: number): RunState<Failure> => ({
  ...state,
  fruitless: explained === 0 ? state.fruitless + 1 : 0,
})

/** Returns the outcome of a run that its budget, or fruitless batches, have ended. Undefined if it goes on. */
export const early = <Failure>({ end, isLastRefused, sent: batches }: RunState<Failure>): Outcome | undefined => {
  if (end?._tag === "Budget") return { outcome: "budget", batches }
  // A model that answers with words ends by itself, as specified: only refusals are a failure of the run.
  return end?._tag === "Fruitless"
    ? { outcome: isLastRefused ? "unexplained" : "complete", batches, isFruitless: true }
    : undefined
}

/** Returns the outcome of a run without more to send. If all its batches were refused, they are unexplained. */
export const toOutcome = <Failure>(
  { isAnswered, recorded, sent: batches }: RunState<Failure>,
  outcome: "complete" | "limit",
): Outcome => ({ outcome: batches > 0 && !isAnswered && recorded === 0 ? "unexplained" : outcome, batches })
