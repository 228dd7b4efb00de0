/** A run of `vibe index --cluster`: its state and its counts, as starters and `--status` show them. */

/**
 * The state of a run:
 * - `planning`: its batches are being written to the database
 * - `running`: workers answer them
 * - `complete`: each is answered or refused
 * - `budget`: the next batch would exceed its limit of cost
 * - `stopped`: a failure that would repeat with each batch, such as a key that is refused
 * - `cancelled`: a user has ended it
 */
export type State = "planning" | "running" | "complete" | "budget" | "stopped" | "cancelled"

export interface Snapshot {
  readonly id: string
  readonly repository: string
  readonly commit: string
  /** The version of vibe. */
  readonly version: string
  /** The ids of the models that explain: one, or one for code and one for definitions. */
  readonly models: ReadonlyArray<string>
  readonly state: State
  /** The reason why it was stopped. */
  readonly reason: string | undefined
  /** The limit of cost in US dollars; undefined if there is none. */
  readonly maxCost: number | undefined
  readonly spent: number
  /**
   * The most that lost answers may have cost: the provider may charge for them though their worker is gone. It counts
   * for the limit.
   */
  readonly lost: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** The number of answers that were paid for twice, since a worker ended before the first was stored. */
  readonly repeated: number
  readonly batches: {
    readonly waiting: number
    /** Batches that the engine has, and that have not begun. */
    readonly sent: number
    readonly running: number
    readonly answered: number
    readonly refused: number
  }
  /** The number of workers that were seen within the last `WORKER_TIMEOUT`. */
  readonly workers: number
  /** Seconds since a batch, or the run itself, has begun or ended. */
  readonly idle: number
  readonly createdAt: Date
  readonly endedAt: Date | undefined
}

/** Seconds after which a worker that did not report counts as gone. */
export const WORKER_TIMEOUT = 20

/** Seconds after which a starter that is planning counts as killed if it has written no batch. */
export const PLANNING_TIMEOUT = 60

/** Seconds after which a run with open batches counts as stalled if no batch has begun or ended. */
export const STALL = 180

/** Returns whether workers still answer the batches of a run. */
export const isOpen = ({ state }: Pick<Snapshot, "state">): boolean => state === "planning" || state === "running"

/** Counts the batches that have not ended. */
export const countOpen = ({ batches: { running, sent, waiting } }: Snapshot): number => waiting + sent + running

/** Says what keeps a run from going on, and what to do about it; undefined if nothing does. */
export const adviceOf = (run: Snapshot): string | undefined => {
  if (run.state !== "running" || countOpen(run) === 0) return undefined
  if (run.workers === 0)
    return "No worker is there: start one with 'vibe worker' on any machine that reaches the database"
  if (run.idle < STALL) return undefined
  const minutes = Math.floor(run.idle / 60)
  return run.batches.running > 0
    ? `No batch has ended for ${minutes} minutes: the provider does not answer, or a worker hangs; end that worker, and another takes its batches`
    : `No batch has begun for ${minutes} minutes although workers are there: end them and start them again; nothing is lost`
}
