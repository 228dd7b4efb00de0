/** Stores the runs, their batches and workers in the shared database. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ExplorerError } from "../explore/ExplorerError.ts"
import type { Usage } from "../message/Usage.ts"
import type * as Run from "./Run.ts"

export class RunStore extends Context.Tag("vibe/cluster/RunStore")<RunStore, Service>() {}

type Result<A> = Effect.Effect<A, ExplorerError>

export interface Service {
  /** Returns the open run of a repository, else the latest that ended within 30 days, of any version. */
  readonly latest: (repository: string) => Result<Run.Snapshot | undefined>
  /** Finds a run by the beginning of its id; undefined if there is none, or several. */
  readonly find: (prefix: string) => Result<Run.Snapshot | undefined>
  /** Returns false if another run of the repository is open. */
  readonly create: (run: NewRun) => Result<boolean>
  /** Writes batches of a plan. */
  readonly plan: (run: string, batches: ReadonlyArray<NewBatch>) => Result<void>
  /** Lets workers begin with the batches. */
  readonly open: (run: string) => Result<void>
  /** Removes a run that was never opened, such as that of a starter which was killed while it planned. */
  readonly remove: (run: string) => Result<void>
  readonly cancel: (run: string) => Result<void>
  /** Returns the parts that all requests of a run share, as JSON. */
  readonly requestOf: (run: string) => Result<unknown>
  /**
   * Adds a repeated batch, and returns its number. If the same batch is there, returns its number. Opens a complete run
   * again. Undefined if the run has ended otherwise, or another run of the repository is open.
   */
  readonly add: (run: string, batch: NewBatch) => Result<number | undefined>
  /** Returns all batches of a run; those that ended first come first. `read` reads their content. */
  readonly list: (run: string) => Result<ReadonlyArray<ListedBatch>>
  readonly read: (run: string, number: number) => Result<StoredBatch>
  /** Returns whether a batch or its run has ended. */
  readonly isEnded: (run: string, number: number) => Result<boolean>
  /**
   * Gives waiting batches of runs of that version to the engine: as many as keep the workers busy, repeated ones first.
   */
  readonly send: (version: string) => Result<ReadonlyArray<BatchKey>>
  /**
   * Takes at most `most` batches that the engine has lost, in runs of the worker's version. Those are batches that the
   * engine received or a worker began, and that no worker has reported for a minute. Each is taken by one worker.
   */
  readonly takeLost: (worker: WorkerKey, most: number) => Result<ReadonlyArray<BatchKey>>
  /** Begins a batch: reserves its cost within the limit of the run. */
  readonly begin: (batch: BatchKey, worker: WorkerKey) => Result<Begun>
  /** Reserves the cost of a batch once more for a repeated request, whatever the limit. */
  readonly reserve: (batch: BatchKey) => Result<void>
  /** Gives back a batch that was begun but not sent, and charges nothing for it. */
  readonly giveBack: (batch: BatchKey, worker: string) => Result<void>
  /**
   * Stores the answer, unless there is one already; its cost counts in any case. If its worker counted as gone, the
   * answer no longer counts as lost.
   */
  readonly end: (batch: BatchKey, worker: string, answer: NewAnswer) => Result<void>
  /** Adds a cost to what a run has spent, in US dollars. */
  readonly charge: (run: string, cost: number) => Result<void>
  /** Ends a run if its answers are of no use. */
  readonly stop: (run: string, reason: string) => Result<void>
  /** Ends the runs that have no open batch. */
  readonly complete: Result<void>
  /** Reports that a worker is alive, and which batches it has. */
  readonly report: (worker: WorkerRow, batches: ReadonlyArray<BatchKey>) => Result<void>
  /**
   * Removes a worker. This is not repeated if the database is away, since a worker that does not report counts as gone
   * after 20 seconds.
   */
  readonly removeWorker: (worker: string) => Result<void>
  /** Returns the versions of present workers and of open runs, except the given one. `run`: the id of such a run. */
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
  /** The ids of the models that explain: one, or one for code and one for definitions. */
  readonly models: ReadonlyArray<string>
  readonly request: unknown
  readonly maxCost: number | undefined
  /** The cost before the first batch, in US dollars. The starter has spent it. */
  readonly spent: number
}

export interface NewBatch {
  readonly digest: string
  readonly model: string
  readonly planned: boolean
  readonly symbols: number
  readonly tokens: number
  readonly content: Uint8Array
  /** The most tokens of its answer if the run has a limit of cost. */
  readonly maxOutput: number
  /** The cost with an answer of that length, in US dollars; 0 if a price is unknown. */
  readonly estimate: number
}

export interface ListedBatch {
  readonly number: number
  readonly model: string
  /** True for a batch of the plan, false for a repeated one. */
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
      /** How often it was begun, including this time. */
      readonly attempts: number
      /** Undefined if the run has no limit of cost. */
      readonly maxOutput: number | undefined
    }
  /**
   * The batch would exceed the limit if everything under way costs what is reserved for it. Begin it again a little
   * later.
   */
  | { readonly _tag: "Wait" }
  /** The batch or its run has ended, or another worker is busy with it. */
  | { readonly _tag: "Skip" }
  /** Its run has another version than the worker. */
  | { readonly _tag: "OtherVersion"; readonly version: string }

export interface NewAnswer {
  readonly state: "answered" | "refused"
  readonly answer: Uint8Array
  /** The cost in US dollars. If it is unknown, the amount that was reserved for the batch is charged. */
  readonly cost: number | undefined
  readonly usage: Usage
  /** The reason to end the run, if each batch would repeat the failure. */
  readonly stop?: string | undefined
}

export interface WorkerKey {
  readonly id: string
  readonly version: string
}

export interface WorkerRow extends WorkerKey {
  readonly parallel: number
}
