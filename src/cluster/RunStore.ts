/** The runs, their batches and workers in the shared database. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ExplorerError } from "../indexing/ExplorerError.ts"
import type { Usage } from "../message/Usage.ts"
import type * as Run from "./Run.ts"

export class RunStore extends Context.Tag("vibe/cluster/RunStore")<RunStore, Service>() {}

type Result<A> = Effect.Effect<A, ExplorerError>

export interface Service {
  /** The run of a repository that is open, else the latest that ended within 30 days, of any version. */
  readonly latest: (repository: string) => Result<Run.Snapshot | undefined>
  /** By the beginning of its id; undefined where there is none, or several. */
  readonly find: (prefix: string) => Result<Run.Snapshot | undefined>
  /** False where another run of the repository is open. */
  readonly create: (run: NewRun) => Result<boolean>
  /** Writes batches of a plan. */
  readonly plan: (run: string, batches: ReadonlyArray<NewBatch>) => Result<void>
  /** Lets workers begin. */
  readonly open: (run: string) => Result<void>
  /** Removes a run that was never opened, such as that of a starter which was killed while it planned. */
  readonly remove: (run: string) => Result<void>
  readonly cancel: (run: string) => Result<void>
  /** What the batches of a run are sent with, as JSON. */
  readonly requestOf: (run: string) => Result<unknown>
  /**
   * Adds a batch that is asked for once more, and returns its number; that of the same batch where it is there. Opens a complete run
   * again. Undefined where the run has ended otherwise, or another of the repository is open.
   */
  readonly add: (run: string, batch: NewBatch) => Result<number | undefined>
  /** All batches of a run, those that ended first before the others. Content is read by `read`. */
  readonly list: (run: string) => Result<ReadonlyArray<ListedBatch>>
  readonly read: (run: string, number: number) => Result<StoredBatch>
  /** Whether a batch has ended, or its run. */
  readonly isEnded: (run: string, number: number) => Result<boolean>
  /**
   * Gives waiting batches of runs of that version to the engine: as many as the workers need to be busy, those asked for once more
   * first.
   */
  readonly send: (version: string) => Result<ReadonlyArray<BatchKey>>
  /**
   * Takes at most so many of the batches that the engine has lost: those that it was given, or that a worker began, and that no worker
   * has reported for a minute, of runs of the worker's version. Each is taken by one worker.
   */
  readonly takeLost: (worker: WorkerKey, most: number) => Result<ReadonlyArray<BatchKey>>
  /** Begins a batch: reserves its cost within the limit of the run. */
  readonly begin: (batch: BatchKey, worker: WorkerKey) => Result<Begun>
  /** Reserves its cost once more, for a request that is repeated, whatever the limit. */
  readonly reserve: (batch: BatchKey) => Result<void>
  /** Gives back a batch that was begun and not sent: nothing is charged for it. */
  readonly giveBack: (batch: BatchKey, worker: string) => Result<void>
  /**
   * Stores the answer, unless there is one; what it cost counts in any case. That of a worker that counted as gone is not lost any
   * more.
   */
  readonly end: (batch: BatchKey, worker: string, answer: NewAnswer) => Result<void>
  /** Adds a cost to what a run has spent, in US dollars. */
  readonly charge: (run: string, cost: number) => Result<void>
  /** Ends a run, whose answers are of no use. */
  readonly stop: (run: string, reason: string) => Result<void>
  /** Ends the runs of which no batch is open. */
  readonly complete: Result<void>
  /** Reports that a worker is alive, and that some batches are with it. */
  readonly report: (worker: WorkerRow, batches: ReadonlyArray<BatchKey>) => Result<void>
  /** Not repeated where the database is away: a worker that does not report counts as gone after 20 seconds. */
  readonly removeWorker: (worker: string) => Result<void>
  /** The versions of the workers that are there, and of open runs, without the given one; `run`: the id of such a run. */
  readonly otherVersions: (version: string) => Result<ReadonlyArray<OtherVersion>>
}

export interface OtherVersion {
  readonly version: string
  readonly run: string | null
}

export interface NewRun {
  readonly id: string
  readonly repository: string
  readonly commit: string
  readonly version: string
  /** Those that explain, by id: one, or that for code and the one for definitions. */
  readonly models: ReadonlyArray<string>
  readonly request: unknown
  readonly maxCost: number | undefined
  /** In US dollars, by the starter, before the first batch. */
  readonly spent: number
}

export interface NewBatch {
  readonly digest: string
  readonly model: string
  readonly planned: boolean
  readonly symbols: number
  readonly tokens: number
  readonly content: Uint8Array
  /** The most tokens of its answer where the run has a limit of cost. */
  readonly maxOutput: number
  /** In US dollars, of an answer of so many tokens; 0 where a price is unknown. */
  readonly estimate: number
}

export interface ListedBatch {
  readonly number: number
  readonly model: string
  /** Of the plan, or asked for once more. */
  readonly planned: boolean
  readonly symbols: number
  readonly state: BatchState
}

export type BatchState = "waiting" | "sent" | "running" | "answered" | "refused"

export interface BatchKey {
  readonly run: string
  readonly number: number
}

export interface StoredBatch {
  readonly model: string
  readonly content: Uint8Array
  readonly state: BatchState
  readonly answer: Uint8Array | null
  readonly run: Run.State
  readonly reason: string | null
}

export type Begun =
  | {
      readonly _tag: "Ask"
      readonly model: string
      readonly content: Uint8Array
      /** How often it was begun, with this time. */
      readonly attempts: number
      /** Undefined where the cost of the run is not limited. */
      readonly maxOutput: number | undefined
    }
  /** It would exceed the limit if all that is under way cost what is reserved for it. Begin it again a little later. */
  | { readonly _tag: "Wait" }
  /** It has ended, or its run, or another worker is at work on it. */
  | { readonly _tag: "Skip" }
  /** Its run is of another version than the worker. */
  | { readonly _tag: "OtherVersion"; readonly version: string }

export interface NewAnswer {
  readonly state: "answered" | "refused"
  readonly answer: Uint8Array
  /** In US dollars. Where it is unknown, what was reserved for the batch is charged. */
  readonly cost: number | undefined
  readonly usage: Usage
  /** Ends the run for that reason: each batch would repeat the failure. */
  readonly stop?: string | undefined
}

export interface WorkerKey {
  readonly id: string
  readonly version: string
}

export interface WorkerRow extends WorkerKey {
  readonly parallel: number
}
