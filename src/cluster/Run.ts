/** A run of `vibe index --cluster`: its state and its counts, as starters and `--status` show them. */

/**
 * - `planning`: its batches are being written to the database
 * - `running`: workers answer them
 * - `complete`: each is answered or refused
 * - `budget`: the next batch would exceed its limit of cost
 * - `stopped`: a failure that would repeat with each batch, such as a key that is refused
 * - `cancelled`: by a user
 */
export type State = "planning" | "running" | "complete" | "budget" | "stopped" | "cancelled"

export interface Snapshot {
  readonly id: string
  readonly repository: string
  readonly commit: string
  /** Of vibe. */
  readonly version: string
  /** Those that explain, by id: one, or that for code and the one for definitions. */
  readonly models: ReadonlyArray<string>
  readonly state: State
  /** Why it was stopped. */
  readonly reason: string | undefined
  /** In US dollars; undefined without a limit. */
  readonly maxCost: number | undefined
  readonly spent: number
  /** At most: of answers that were lost with their worker, which the provider may charge for. It counts for the limit. */
  readonly lost: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Answers that were paid for twice, since a worker ended before the first was stored. */
  readonly repeated: number
  readonly batches: {
    readonly waiting: number
    /** With the engine, and not begun. */
    readonly sent: number
    readonly running: number
    readonly answered: number
    readonly refused: number
  }
  /** Workers that were seen within the last `WORKER_TIMEOUT`. */
  readonly workers: number
  /** Seconds since a batch has begun or ended, or the run itself. */
  readonly idle: number
  readonly createdAt: Date
  readonly endedAt: Date | undefined
}

/** Seconds after which a worker that did not report counts as gone. */
export const WORKER_TIMEOUT = 20

/** Seconds after which a starter that plans, and has not written a batch, counts as killed. */
export const PLANNING_TIMEOUT = 60

/** Seconds without a batch that begins or ends, after which a run with open batches counts as stalled. */
export const STALL = 180

/** Whether its batches are answered still. */
export const isOpen = ({ state }: Pick<Snapshot, "state">): boolean => state === "planning" || state === "running"

/** The batches that have not ended. */
export const countOpen = ({ batches: { running, sent, waiting } }: Snapshot): number => waiting + sent + running

/** What keeps a run from going on, and what to do about it; undefined where nothing does. */
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
