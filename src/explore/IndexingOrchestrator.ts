/**
 * Guided exploration: a model explores a codebase through tools in a bounded loop and writes a map of it. Then the
 * symbols that have no purpose are sent to it in batches, and their purposes are stored.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as LoomEngine from "../agent/LoomEngine.ts"
import { EXPLORATION_ROUNDS } from "../agent/rounds.ts"
import { endWith } from "../base/concurrency.ts"
import { flawOfCount } from "../base/UsageError.ts"
import type { FileError } from "../code/FileError.ts"
import * as Files from "../code/Files.ts"
import type * as Selection from "../code/Selection.ts"
import * as Workspace from "../code/Workspace.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import { IndexError, NothingToIndex } from "../index/IndexError.ts"
import type { Index } from "../index/IndexStore.ts"
import * as IndexStore from "../index/IndexStore.ts"
import * as RunProgress from "../index/RunProgress.ts"
import type { WikiReport } from "../index/WikiReport.ts"
import type { Usage } from "../message/Usage.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import * as Thinking from "../model/Thinking.ts"
import * as ExplorationTools from "./ExplorationTools.ts"
import type { ExplorerError } from "./ExplorerError.ts"
import { IndexEvent } from "./IndexEvent.ts"
import type { Watch } from "./IndexObserver.ts"
import * as IndexObserver from "./IndexObserver.ts"
import { askModels } from "./internal/askModels.ts"
import * as ExplorationRun from "./internal/ExplorationRun.ts"
import * as RunTotals from "./internal/RunTotals.ts"
import { reportOf } from "./internal/reportOf.ts"
import * as Reopened from "./Reopened.ts"
import type { Report } from "./Report.ts"
import { awaitClaim, publishProgress } from "./RunClaim.ts"

/** The end of a run: its index is up to date, and what the budget leaves can be used. */
export interface EndedRun {
  readonly index: Index
  readonly workspace: Workspace.Workspace
  readonly model: LanguageModel.Service
  readonly thinking: Thinking.Thinking | undefined
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

/**
 * Explores a folder with a model, and stores in its index what the model says each symbol is for.
 *
 * When to use it: to make an index or bring its purposes up to date, as `vibe index` does. `Indexing.layer` composes it
 * over the files of this machine, and `Indexing.layerMemory` over files in memory. To look something up in an index,
 * `IndexStore` is enough.
 *
 * Example:
 *
 * ```ts
 * import { Console, Effect, Layer } from "effect"
 * import { Indexing, IndexingOrchestrator, IndexObserver } from "vibe-index"
 * import { Scripted } from "vibe-index/provider"
 *
 * const program = Effect.gen(function* () {
 *   const report = yield* IndexingOrchestrator.runGuidedExploration("/repo")
 *   yield* Console.log(`${report.coveredSymbols} of ${report.majorSymbols} symbols are explained`)
 * })
 *
 * const purpose = { path: "add.ts", symbol: "add", purpose: "Adds two numbers." }
 * const model = Scripted.layer([Scripted.calls(["create_index_entry", { entries: [purpose] }]), "That is all."])
 * const vibe = Indexing.layerMemory({ "/repo/add.ts": "export const add = (a: number, b: number) => a + b" }).pipe(
 *   Layer.provide([model, IndexObserver.layerSilent]),
 * )
 * await Effect.runPromise(Effect.provide(program, vibe))
 * // prints: 1 of 1 symbols are explained
 * ```
 */
export class IndexingOrchestrator extends Context.Tag("vibe/explore/IndexingOrchestrator")<
  IndexingOrchestrator,
  Service
>() {}

export interface Service {
  readonly runGuidedExploration: (
    rootPath: string,
    verbose?: boolean,
    options?: Options,
  ) => Effect.Effect<Report, IndexingError>
}

export interface Options {
  /** The model that is used instead of the `LanguageModel` of the context. */
  readonly model?: LanguageModel.Service | undefined
  /** Explains types and constants, which a cheaper model can do; the model of the run by default. */
  readonly liteModel?: LanguageModel.Service | undefined
  /**
   * Goes on with further explorations of at most `MAX_ITERATIONS` requests until nothing is left to explain, one of
   * them records nothing, or the budget of the run is used up. Off by default.
   */
  readonly all?: boolean | undefined
  /**
   * How many batches are under way at a time: `PARALLEL` by default, 1 for a local model. A value that is no count is a
   * defect.
   */
  readonly parallel?: number | undefined
  /**
   * How much models think: `off` by default, since descriptions of code need no thoughts, which cost as much as
   * answers.
   */
  readonly thinking?: Thinking.Choice | undefined
  /** Selects files in addition to what ignore files say: none by default. Readers of the index see the same files. */
  readonly selection?: Selection.Selection | undefined
  /** Asks again for purposes that failed a check when they were recorded. */
  readonly refreshWeak?: boolean | undefined
  /**
   * Explains symbols too that have only a comment, since comments rarely have the words of questions. Off by default.
   */
  readonly documented?: boolean | undefined
  /** Writes the wiki at the end; by default there is none. */
  readonly afterRun?: AfterRun | undefined
}

/**
 * A `FileError` concerns the folder, an `ExplorerError` the explorer outside this process, and a `ModelError` the
 * model, after its retries. The purposes so far are stored.
 */
export type IndexingError = ExplorerError | FileError | ForestError | IndexError | ModelError

/** The most requests to models in one exploration, as specified; requests for batches count too. */
export const MAX_ITERATIONS = EXPLORATION_ROUNDS

/** How many batches are under way at a time by default. */
export const PARALLEL = 3

/**
 * Explores the folder and returns a report. With `verbose` the `IndexObserver` shows the whole conversation, not only
 * its beginning and end.
 *
 * While another run explores the same folder, in this process or another, it waits without a limit, and the observer
 * receives `IndexEvent.Waiting` once. So it never fails with `AtWork`. `IndexStore.claim` does, which lets a program
 * find out first.
 */
export const runGuidedExploration = (
  rootPath: string,
  verbose = false,
  options: Options = {},
): Effect.Effect<Report, IndexingError, IndexingOrchestrator> =>
  Effect.flatMap(IndexingOrchestrator, (orchestrator) => orchestrator.runGuidedExploration(rootPath, verbose, options))

export const make = Effect.gen(function* () {
  const files = yield* Files.Files
  const store = yield* IndexStore.IndexStore
  const toolsOver = yield* ExplorationTools.ExplorationTools
  const forest = yield* Forest.Forest
  const loom = yield* LoomEngine.LoomEngine
  const defaultModel = yield* LanguageModel.LanguageModel
  const observer = yield* IndexObserver.IndexObserver

  const explore = Effect.fn("IndexingOrchestrator.runGuidedExploration")(function* (
    rootPath: string,
    verbose = false,
    {
      all = false,
      liteModel,
      model = defaultModel,
      parallel,
      thinking = "off",
      refreshWeak = false,
      documented = false,
      selection,
      afterRun,
    }: Options = {},
  ) {
    const flaw = flawOfCount("parallel", parallel, 1)
    if (flaw !== undefined) return yield* Effect.die(new RangeError(flaw))
    const observed = yield* observer.watch({ verbose })
    const workspace = yield* Effect.provideService(Workspace.open(rootPath, selection), Files.Files, files)
    const empty = new IndexError({ path: workspace.root, reason: new NothingToIndex() })
    if ((yield* workspace.list(".")).entries.length === 0) return yield* empty
    yield* awaitClaim(store.claim(workspace), (process) => observed(IndexEvent.Waiting({ process })))
    const startedAt = yield* Clock.currentTimeMillis
    const published = yield* publishProgress(
      (progress) => store.publish(workspace, progress),
      RunProgress.start(model.id, startedAt),
    )
    const opened = yield* store.open(workspace)
    const models = [model, ...(liteModel ? [liteModel] : [])].map(({ id }) => String(id))
    const index = yield* Reopened.reopen(opened, { weak: refreshWeak ? { models } : undefined, documented })
    const limits = {
      thinking: Thinking.levelOf(thinking),
      parallel: parallel ?? model.concurrency ?? (model.isLocal === true ? 1 : PARALLEL),
    }
    const run = yield* ExplorationRun.start(
      { rootPath, workspace, opened, index, model, liteModel, all, ...limits, loom, forest, toolsOver },
      (event) => Effect.zipRight(published(event), observed(event)),
    )
    const { storageFailed, totals, watch, written } = run
    yield* watch(IndexEvent.Started({ root: workspace.root, model: String(model.id) }))

    const exploring = Effect.gen(function* () {
      const refreshed = yield* Effect.locally(index.refresh, RunProgress.refreshObserver, (progress) =>
        watch(IndexEvent.Refreshing(progress)),
      )
      if (refreshed.files === 0) return yield* empty
      yield* watch(IndexEvent.Structured(refreshed))
      // If purposes cannot be stored, the model receives the error as the result of a tool. The run ends all the same.
      const ended = yield* askModels(run, refreshed).pipe(endWith(storageFailed))
      const wiki =
        afterRun &&
        (yield* afterRun({
          index: opened,
          workspace,
          model,
          ...limits,
          canAsk: ended.outcome !== "unexplained",
          watch,
          spend: (usage, cost) => Ref.update(totals, (before) => RunTotals.spend(before, { usage, cost })),
        }))
      return yield* reportOf(run, { ...ended, wiki: wiki ?? null, startedAt, refreshed })
    })

    const stopped = Effect.gen(function* () {
      const lost = Option.getOrUndefined(Either.getLeft(yield* Effect.either(index.ensureRecorded)))
      const { spending } = (yield* Ref.get(totals)).exploration
      const { cost, usage } = spending
      yield* watch(IndexEvent.Stopped({ purposesWritten: written.size, lost, usage, cost }))
    })
    // An interrupt between the end of the run and its last event would leave the observer without either.
    return yield* Effect.uninterruptibleMask((restore) =>
      restore(forest.operation(exploring)).pipe(
        Effect.onError(() => stopped),
        Effect.tap((report) => watch(IndexEvent.Finished({ report }))),
      ),
    )
  }, Effect.scoped)

  return IndexingOrchestrator.of({ runGuidedExploration: explore })
})

/** Needs the code (`Files`), the index, the tools, the loop, and a model for runs that name none. */
export const layer: Layer.Layer<
  IndexingOrchestrator,
  never,
  | ExplorationTools.ExplorationTools
  | Files.Files
  | Forest.Forest
  | IndexObserver.IndexObserver
  | IndexStore.IndexStore
  | LanguageModel.LanguageModel
  | LoomEngine.LoomEngine
> = Layer.effect(IndexingOrchestrator, make)
