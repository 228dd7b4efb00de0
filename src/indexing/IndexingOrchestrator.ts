/** Guided exploration: a model explores a codebase through tools in a bounded loop, and stores the purposes of symbols. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import type { FileError } from "../code/FileError.ts"
import * as Files from "../code/Files.ts"
import type * as Selection from "../code/Selection.ts"
import * as Workspace from "../code/Workspace.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import * as LoomEngine from "../loom/LoomEngine.ts"
import { endWith } from "../message/endWith.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import * as Exploration from "./Exploration.ts"
import { IndexError, NothingToIndex } from "./IndexError.ts"
import { IndexEvent } from "./IndexEvent.ts"
import * as IndexObserver from "./IndexObserver.ts"
import * as IndexStore from "./IndexStore.ts"
import * as IndexTools from "./IndexTools.ts"
import * as Instruction from "./Instruction.ts"
import * as NotOutlined from "./NotOutlined.ts"
import * as RefreshProgress from "./RefreshProgress.ts"
import * as RefreshWeak from "./RefreshWeak.ts"
import type { Report } from "./Report.ts"
import * as Unreadable from "./Unreadable.ts"
import * as WorkLeft from "./WorkLeft.ts"

export class IndexingOrchestrator extends Context.Tag("vibe/indexing/IndexingOrchestrator")<
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
  /** Used in place of the `LanguageModel` of the context. */
  readonly model?: LanguageModel.Service | undefined
  /** Which files to see beside what ignore files say: none by default. Readers of the index see the same. */
  readonly selection?: Selection.Selection | undefined
  /** Asks again for purposes that failed a check when they were recorded. */
  readonly refreshWeak?: boolean | undefined
}

/** `FileError`: of the folder. `ModelError`: of the model, after its retries; the purposes so far are stored. */
export type IndexingError = FileError | ForestError | IndexError | ModelError

/** The most requests to the model in one run, as specified. */
export const MAX_ITERATIONS = 20

/**
 * Explores the folder and returns a report. With `verbose` the `IndexObserver` shows the whole conversation, not only its
 * beginning and end.
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
  const toolsOver = yield* IndexTools.IndexTools
  const forest = yield* Forest.Forest
  const loom = yield* LoomEngine.LoomEngine
  const defaultModel = yield* LanguageModel.LanguageModel
  const observer = yield* IndexObserver.IndexObserver

  const explore = Effect.fn("IndexingOrchestrator.runGuidedExploration")(function* (
    rootPath: string,
    verbose = false,
    { model = defaultModel, refreshWeak = false, selection }: Options = {},
  ) {
    const watch = yield* observer.watch({ verbose })
    const workspace = yield* Effect.provideService(Workspace.open(rootPath, selection), Files.Files, files)
    const empty = new IndexError({ path: workspace.root, reason: new NothingToIndex() })
    if ((yield* workspace.list(".")).entries.length === 0) return yield* empty
    yield* awaitClaim(store.claim(workspace), watch)
    const startedAt = yield* Clock.currentTimeMillis
    const opened = yield* store.open(workspace)
    const index = refreshWeak ? yield* RefreshWeak.reopen(opened) : opened
    yield* watch(IndexEvent.Started({ root: workspace.root, model: String(model.id) }))
    const written = yield* Ref.make<ReadonlySet<string>>(new Set())
    const failed = yield* Deferred.make<never, IndexError>()

    const run = Effect.gen(function* () {
      const refreshed = yield* Effect.locally(index.refresh, RefreshProgress.observer, (progress) =>
        watch(IndexEvent.Refreshing(progress)),
      )
      if (refreshed.files === 0) return yield* empty
      yield* watch(IndexEvent.Structured(refreshed))

      const root = yield* forest.root({ owner: `index:${workspace.root}`, systemPrompt: Instruction.system })
      const exploration = yield* Ref.make(Exploration.start(model.id))
      const follow = Exploration.follow(watch, MAX_ITERATIONS)
      yield* loom
        .generate(root.id, {
          text: Instruction.opening(
            rootPath,
            yield* index.files,
            yield* index.landmarks(Instruction.MAX_LANDMARKS),
            MAX_ITERATIONS,
          ),
          tools: toolsOver(workspace, countingWrites(index, written, failed, watch)),
          model,
          maxToolIterations: MAX_ITERATIONS,
          onEvent: (event) =>
            Ref.get(exploration).pipe(
              Effect.flatMap((exploration) => follow(exploration, event)),
              Effect.flatMap((next) => Ref.set(exploration, next)),
            ),
        })
        .pipe(
          // How the run ended is part of the exploration.
          Effect.either,
          // The model receives this error as the result of a tool. The run ends all the same: further entries would cost
          // money and could not be stored either.
          endWith(Deferred.await(failed)),
        )
      const explored = yield* Ref.get(exploration)
      if (explored.failure !== undefined) return yield* Effect.fail(explored.failure)

      const status = yield* index.status
      const files = yield* index.files
      const unreadable = yield* index.unreadable
      const { beside, files: left } = WorkLeft.of(files)
      const partial = files.flatMap(({ cut, note = "", path }) => (cut === undefined ? [] : [{ path, cut, note }]))
      const report: Report = {
        root: workspace.root,
        model: explored.model,
        outcome: explored.outcome,
        iterations: explored.iterations,
        toolCalls: explored.toolCalls,
        files: refreshed.files,
        parsedFiles: refreshed.parsed,
        symbols: refreshed.symbols,
        purposesWritten: (yield* Ref.get(written)).size,
        purposes: status.purposes,
        stale: status.stale,
        majorSymbols: status.majorSymbols,
        coveredSymbols: status.covered,
        classes: status.classes,
        left: left.slice(0, 10).map((file) => ({ path: file.path, symbols: file.open })),
        leftFiles: left.length,
        leftSymbols: left.reduce((total, file) => total + file.open, 0),
        leftBeside: beside,
        partial: partial.slice(0, 10),
        partialFiles: partial.length,
        notOutlined: NotOutlined.count(files, unreadable),
        unreadable: Unreadable.count(unreadable),
        landmarks: (yield* index.landmarks(5)).map((entry) => ({ path: entry.path, symbol: entry.qualifiedName })),
        usage: explored.spending.usage,
        cost: explored.spending.cost ?? null,
        durationMs: (yield* Clock.currentTimeMillis) - startedAt,
        summary: explored.summary,
      }
      return report
    })

    const report = yield* Effect.onError(forest.operation(run), () =>
      Effect.gen(function* () {
        const { size } = yield* Ref.get(written)
        const lost = Option.getOrUndefined(Either.getLeft(yield* Effect.either(index.ensureRecorded)))
        yield* watch(IndexEvent.Stopped({ purposesWritten: size, lost }))
      }),
    )
    yield* watch(IndexEvent.Finished({ report }))
    return report
  }, Effect.scoped)

  return IndexingOrchestrator.of({ runGuidedExploration: explore })
})

/** Needs the code (`Files`), the index, the tools, the loop, and a model for runs that name none. */
export const layer: Layer.Layer<
  IndexingOrchestrator,
  never,
  | Files.Files
  | Forest.Forest
  | IndexObserver.IndexObserver
  | IndexStore.IndexStore
  | IndexTools.IndexTools
  | LanguageModel.LanguageModel
  | LoomEngine.LoomEngine
> = Layer.effect(IndexingOrchestrator, make)

/** Waits for another run to end, and reports that once. A run that is killed loses its claim. */
const awaitClaim = <R>(claim: Effect.Effect<void, IndexError, R>, watch: IndexObserver.Watch) =>
  Effect.catchAll(claim, (error) =>
    error.reason._tag === "AtWork"
      ? Effect.zipRight(
          watch(IndexEvent.Waiting({ process: error.reason.process })),
          Effect.retry(claim, { while: ({ reason }) => reason._tag === "AtWork", schedule: CLAIM_RETRY }),
        )
      : Effect.fail(error),
  )

const CLAIM_RETRY = Schedule.spaced("200 millis")

/** Counts the symbols that get a purpose in this run, and fails `failed` where purposes cannot be stored. */
const countingWrites = (
  index: IndexStore.Index,
  written: Ref.Ref<ReadonlySet<string>>,
  failed: Deferred.Deferred<never, IndexError>,
  watch: IndexObserver.Watch,
): IndexStore.Index => ({
  ...index,
  record: Effect.fnUntraced(function* (purposes) {
    yield* Effect.tapError(index.record(purposes), (error) => Deferred.fail(failed, error))
    const keys = yield* Ref.updateAndGet(
      written,
      (keys) => new Set([...keys, ...purposes.map(({ entry }) => `${entry.path}\0${entry.qualifiedName}`)]),
    )
    yield* watch(IndexEvent.Recorded({ purposesWritten: keys.size }))
  }),
})
