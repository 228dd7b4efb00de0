/** One run of the exploration: its index and its models, what it has done so far, and how its events are reported. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type * as LoomEngine from "../../agent/LoomEngine.ts"
import { EXPLORATION_ROUNDS } from "../../agent/rounds.ts"
import type { Sink } from "../../agent/TurnEvent.ts"
import type { Workspace } from "../../code/Workspace.ts"
import type * as Forest from "../../forest/Forest.ts"
import { decorate } from "../../index/decorate.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import { NOTHING } from "../../index/Purposes.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import type { Thinking } from "../../model/Thinking.ts"
import * as Exploration from "../Exploration.ts"
import type * as ExplorationTools from "../ExplorationTools.ts"
import { IndexEvent } from "../IndexEvent.ts"
import type * as IndexObserver from "../IndexObserver.ts"
import * as RunTotals from "./RunTotals.ts"

export interface Settings {
  /** The folder, as the user named it. */
  readonly rootPath: string
  readonly workspace: Workspace
  /** The index as it is stored. */
  readonly opened: Index
  /** The index of this run, in which purposes that are asked for again count as stale. */
  readonly index: Index
  readonly model: LanguageModel.Service
  /** Explains types and constants, if there is one. */
  readonly liteModel: LanguageModel.Service | undefined
  /** True if further explorations follow until nothing is open. */
  readonly all: boolean
  readonly thinking: Thinking | undefined
  readonly parallel: number
  readonly loom: LoomEngine.Service
  readonly forest: Forest.Service
  readonly toolsOver: ExplorationTools.Service
}

export interface ExplorationRun extends Settings {
  /** The index of the run, which counts what is recorded. */
  readonly recording: Index
  readonly totals: Ref.Ref<RunTotals.RunTotals>
  /** The symbols that have got a purpose in this run. */
  readonly written: ReadonlySet<string>
  /** Fails if purposes cannot be stored; further answers would cost money and could not be stored either. */
  readonly storageFailed: Effect.Effect<never, IndexError>
  readonly watch: IndexObserver.Watch
}

/** Begins a run whose events go to `watch`. */
export const start: (settings: Settings, watch: IndexObserver.Watch) => Effect.Effect<ExplorationRun> =
  Effect.fnUntraced(function* (settings, observed) {
    const totals = yield* Ref.make(RunTotals.start(settings.model.id))
    const failed = yield* Deferred.make<never, IndexError>()
    // The set grows in place: a copy for each of thousands of batches would take longer than their answers.
    const written = new Set<string>()
    const watch: IndexObserver.Watch = (event) =>
      Effect.zipRight(
        Ref.update(totals, (before) => RunTotals.noteEvent(before, event)),
        observed(event),
      )
    const recording = decorate(settings.index, {
      onRecordFailed: (error) => Deferred.fail(failed, error),
      onRecorded: (purposes) =>
        Effect.suspend(() => {
          for (const { entry, text } of purposes) {
            if (text !== NOTHING) written.add(`${entry.path}\0${entry.startLine}\0${entry.qualifiedName}`)
          }
          return watch(IndexEvent.Recorded({ purposesWritten: written.size }))
        }),
    })
    const run: ExplorationRun = {
      ...settings,
      recording,
      totals,
      written,
      storageFailed: Deferred.await(failed),
      watch,
    }
    return run
  })

/** Returns the receiver of the events of a conversation: the number of a batch, or 0 for the look around. */
export const sinkOf =
  ({ totals, watch }: ExplorationRun, branch: number): Sink =>
  (event) =>
    Ref.modify(totals, (before) => {
      const [exploration, events] = Exploration.step(before.exploration, event, EXPLORATION_ROUNDS, branch)
      return [events, { ...before, exploration }]
    }).pipe(Effect.flatMap((events) => Effect.forEach(events, (event) => watch(event), { discard: true })))
