/**
 * Guided exploration: a model explores a codebase through tools in a bounded loop and writes a map of it. Then the
 * symbols that have no purpose are sent to it in batches, and their purposes are stored.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type { GenerateError } from "../agent/GenerateError.ts"
import * as LoomEngine from "../agent/LoomEngine.ts"
import { EXPLORATION_ROUNDS, LOOK_AROUND_ROUNDS } from "../agent/rounds.ts"
import * as Spending from "../agent/Spending.ts"
import type { Sink, TurnEvent } from "../agent/TurnEvent.ts"
import * as Count from "../base/Count.ts"
import { endWith } from "../base/endWith.ts"
import type { FileError } from "../code/FileError.ts"
import * as Files from "../code/Files.ts"
import type * as Selection from "../code/Selection.ts"
import * as Workspace from "../code/Workspace.ts"
import * as Forest from "../forest/Forest.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import { decorate } from "../index/decorate.ts"
import { IndexError, NothingToIndex } from "../index/IndexError.ts"
import * as IndexStore from "../index/IndexStore.ts"
import * as NotOutlined from "../index/NotOutlined.ts"
import * as ProjectMap from "../index/ProjectMap.ts"
import * as ProjectOverview from "../index/ProjectOverview.ts"
import * as RefreshProgress from "../index/RefreshProgress.ts"
import * as RunProgress from "../index/RunProgress.ts"
import * as Unreadable from "../index/Unreadable.ts"
import * as WorkLeft from "../index/WorkLeft.ts"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import * as Cost from "../model/Cost.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import { BudgetReached, ModelError } from "../model/ModelError.ts"
import * as RunBudget from "../model/RunBudget.ts"
import * as Thinking from "../model/Thinking.ts"
import type { AfterRun } from "./AfterRun.ts"
import { awaitClaim } from "./awaitClaim.ts"
import * as BatchRun from "./BatchRun.ts"
import * as Estimate from "./Estimate.ts"
import * as Exploration from "./Exploration.ts"
import * as ExplorationTools from "./ExplorationTools.ts"
import * as Explorer from "./Explorer.ts"
import type { ExplorerError } from "./ExplorerError.ts"
import { IndexEvent } from "./IndexEvent.ts"
import * as IndexObserver from "./IndexObserver.ts"
import * as Instruction from "./Instruction.ts"
import { publishProgress } from "./internal/publishProgress.ts"
import * as Reopened from "./Reopened.ts"
import type { Report } from "./Report.ts"

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
    const flaw = Count.flawOf("parallel", parallel, 1)
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
    const failures = yield* Ref.make<ReadonlyArray<string>>([])
    const isRefused = yield* Ref.make(false)
    const watch: IndexObserver.Watch = (event) =>
      Effect.gen(function* () {
        const failure = failureOf(event)
        if (failure !== undefined) yield* Ref.update(failures, (before) => [...before, failure])
        if (event._tag === "BatchEnded" && event.isRefused === true) yield* Ref.set(isRefused, true)
        yield* published(event)
        yield* observed(event)
      })
    const opened = yield* store.open(workspace)
    const models = [model, ...(liteModel ? [liteModel] : [])].map(({ id }) => String(id))
    const index = yield* Reopened.reopen(opened, { weak: refreshWeak ? { models } : undefined, documented })
    yield* watch(IndexEvent.Started({ root: workspace.root, model: String(model.id) }))
    const written = yield* Ref.make(new Set<string>())
    const state = yield* Ref.make(Exploration.start(model.id))
    const failed = yield* Deferred.make<never, IndexError>()

    const run = Effect.gen(function* () {
      const refreshed = yield* Effect.locally(index.refresh, RefreshProgress.observer, (progress) =>
        watch(IndexEvent.Refreshing(progress)),
      )
      if (refreshed.files === 0) return yield* empty
      yield* watch(IndexEvent.Structured(refreshed))

      const onEvent =
        (branch: number): Sink =>
        (event) =>
          Ref.modify(state, (exploration) => {
            const [next, events] = Exploration.step(exploration, event, MAX_ITERATIONS, branch)
            return [events, next]
          }).pipe(Effect.flatMap((events) => Effect.forEach(events, (event) => watch(event), { discard: true })))
      const counting = countingWrites(index, written, failed, watch)

      const explorer = yield* Explorer.Explorer
      const limits = {
        thinking: Thinking.levelOf(thinking),
        parallel: parallel ?? model.concurrency ?? (model.isLocal === true ? 1 : PARALLEL),
      }
      /** The requests for the map, and their cost. Answers to other requests that are stored first do not count. */
      const ofMap = yield* Ref.make({ requests: 0, spending: Spending.zero })
      const settingsFor = Effect.fnUntraced(function* (root: NodeId, map: string | undefined) {
        const { requests, spending } = yield* Ref.get(ofMap)
        const settings: BatchRun.Settings = {
          loom,
          workspace,
          index,
          root,
          map,
          model,
          liteModel,
          ...limits,
          maxRequests: MAX_ITERATIONS,
          requestsLeft: MAX_ITERATIONS - requests,
          spent: spending.cost,
          startNext: all ? Ref.update(state, Exploration.startNext) : undefined,
          toolsFor: (batch, receivers) =>
            receivers === undefined
              ? toolsOver(workspace, counting, batch)
              : toolsOver(
                  workspace,
                  decorate(counting, { onRecorded: receivers.onRecord }),
                  batch,
                  receivers.onRefused,
                ),
          watch,
          onEvent,
        }
        return settings
      })

      /** Sends the symbols that are still open in batches below `root`. */
      const explainAll = Effect.fnUntraced(function* (root: NodeId, explored: Explored, map: string | undefined) {
        const open = countOpen(yield* index.files)
        if (open === 0) return { ...explored, map, batches: 0 }

        const left = MAX_ITERATIONS - (yield* Ref.get(ofMap)).requests
        if (left <= 0 && !all) return { ...explored, outcome: "limit" as const, map, batches: 0 }

        const run = yield* explorer.explain(yield* settingsFor(root, map))
        // The user should learn that the map was cut off.
        const outcome: Report["outcome"] =
          run.outcome === "complete" && explored.outcome === "truncated" ? "truncated" : run.outcome
        return { ...run, outcome, summary: explored.summary, map }
      })

      const conversation = Effect.gen(function* () {
        const files = yield* index.files
        const { followsInstructions = true } = model
        const hasBatches = followsInstructions && countOpen(files) > 0
        // A request could add nothing.
        if (followsInstructions && !hasBatches) {
          const map = yield* index.map
          if (map !== undefined) return { ...nothingLeft, map }
        }

        const root = yield* forest.root({ owner: `index:${workspace.root}`, systemPrompt: Instruction.system })
        const resumed = hasBatches ? yield* explorer.resume(yield* settingsFor(root.id, yield* index.map)) : undefined
        const earlierMap = yield* index.map
        if (resumed !== undefined) return { ...resumed, summary: "", map: earlierMap }
        // Weak purposes say nothing about the map.
        const isMapDue = ProjectMap.isDue(earlierMap, yield* opened.files, refreshed.parsed)
        if (hasBatches && !isMapDue) return yield* explainAll(root.id, { outcome: "complete", summary: "" }, earlierMap)

        const tools = toolsOver(workspace, counting)
        const limits = { ...BatchRun.limitsFor(model), rootPath, maxRequests: MAX_ITERATIONS }
        const isLimited = hasBatches && model.affords !== undefined
        const { firstBatch, lookAround } = isLimited
          ? yield* Estimate.make(workspace, index, tools.tools, limits)
          : Estimate.none
        // A map explains no symbol, so the batches come first if the budget is too small for both.
        if (isLimited && !(yield* affords(model, Estimate.add(lookAround, firstBatch)))) {
          return yield* explainAll(root.id, { outcome: "complete", summary: "" }, earlierMap)
        }

        const limit = hasBatches ? LOOK_AROUND_ROUNDS : MAX_ITERATIONS
        const overview = followsInstructions ? yield* ProjectOverview.read(workspace, files) : undefined
        const options = {
          tools,
          model: isLimited ? keeping(model, firstBatch) : model,
          thinking: Thinking.levelOf(thinking),
          onEvent: (event: TurnEvent) =>
            Effect.gen(function* () {
              yield* Ref.update(ofMap, ({ requests, spending }) => ({
                requests: requests + (event._tag === "RequestSent" ? 1 : 0),
                spending: Spending.step(spending, event),
              }))
              yield* onEvent(0)(event)
            }),
        }
        const text = Instruction.opening(
          rootPath,
          files,
          yield* index.landmarks(Instruction.MAX_LANDMARKS),
          limit,
          overview && { overview, map: earlierMap, hasBatches },
        )
        // If a model still calls tools in the last request, it writes no map, and the batches go without one.
        const ended = loom.generate(root.id, { ...options, text, maxToolIterations: limit, concludes: hasBatches })
        // A model that says nothing after its tools has looked around, too. Its requests cost what they cost.
        const silent = Effect.catchIf(ended, isEmpty, (error) =>
          Effect.flatMap(Ref.get(ofMap), ({ requests }) => {
            if (requests < 2) return error
            const wasted = { usage: error.usage, cost: Cost.of(error.usage, model.price) }
            const add = <A extends { readonly spending: Spending.Spending }>(all: A): A => ({
              ...all,
              spending: Spending.add(all.spending, wasted),
            })
            return Effect.as(Effect.zipRight(Ref.update(ofMap, add), Ref.update(state, add)), [])
          }),
        )
        // How the loop ended is part of the exploration.
        const explored = yield* outcomeOf(yield* Effect.either(silent))
        const map = followsInstructions ? yield* recordMap(index, explored.summary, earlierMap, watch) : undefined
        if (!hasBatches) return { ...explored, map, batches: 0 }
        return yield* explainAll(root.id, explored, map)
      })

      const { batches, map, outcome, summary } = yield* conversation.pipe(
        // The model receives this error as the result of a tool. The run ends all the same: further entries would cost
        // money and could not be stored either.
        endWith(Deferred.await(failed)),
      )

      const wiki =
        afterRun &&
        (yield* afterRun({
          index: opened,
          workspace,
          model,
          ...limits,
          canAsk: outcome !== "unexplained",
          watch,
          spend: (usage, cost) =>
            Ref.update(state, (exploration) => ({
              ...exploration,
              spending: Spending.add(exploration.spending, { usage, cost }),
            })),
        }))
      const explored = yield* Ref.get(state)
      const status = yield* index.status
      const files = yield* index.files
      const unreadable = yield* index.unreadable
      const { beside, files: left } = WorkLeft.of(files)
      const partial = files.flatMap(({ cut, note = "", path }) => (cut === undefined ? [] : [{ path, cut, note }]))
      const report: Report = {
        root: workspace.root,
        model: explored.model,
        liteModel: liteModel === undefined ? null : String(liteModel.id),
        outcome: outcome === "complete" && left.length > 0 && (yield* Ref.get(isRefused)) ? "partial" : outcome,
        explorations: explored.explorations,
        iterations: Exploration.allIterations(explored),
        batches,
        ...countFailures(yield* Ref.get(failures)),
        toolCalls: explored.toolCalls,
        files: refreshed.files,
        parsedFiles: refreshed.parsed,
        symbols: refreshed.symbols,
        purposesWritten: (yield* Ref.get(written)).size,
        purposes: status.purposes,
        stale: status.stale,
        weak: status.weak,
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
        map: map ?? null,
        wiki: wiki ?? null,
        summary,
      }
      return report
    })

    const report = yield* Effect.onError(forest.operation(run), () =>
      Effect.gen(function* () {
        const { size } = yield* Ref.get(written)
        const lost = Option.getOrUndefined(Either.getLeft(yield* Effect.either(index.ensureRecorded)))
        const { spending } = yield* Ref.get(state)
        yield* watch(IndexEvent.Stopped({ purposesWritten: size, lost, usage: spending.usage, cost: spending.cost }))
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
  | ExplorationTools.ExplorationTools
  | Files.Files
  | Forest.Forest
  | IndexObserver.IndexObserver
  | IndexStore.IndexStore
  | LanguageModel.LanguageModel
  | LoomEngine.LoomEngine
> = Layer.effect(IndexingOrchestrator, make)

interface Explored {
  readonly outcome: Report["outcome"]
  /** The text of the last reply of the exploration by hand. */
  readonly summary: string
}

const nothingLeft: Explored & { readonly batches: number } = { outcome: "complete", summary: "", batches: 0 }

const isEmpty = (error: GenerateError): error is ModelError =>
  error._tag === "ModelError" && error.reason._tag === "Empty"

/** Returns how the loop ended: with a text, at its limit, or at the budget. Other ends are failures of the run. */
const outcomeOf = (
  ended: Either.Either<ReadonlyArray<Node>, GenerateError>,
): Effect.Effect<Explored, ModelError | ForestError> => {
  if (Either.isRight(ended)) {
    const [node] = ended.right
    const isWhole = node?.source.type !== "model" || node.source.finish === "stop"
    return Effect.succeed({
      outcome: isWhole ? "complete" : "truncated",
      summary: node === undefined ? "" : Message.text(node.message),
    })
  }
  const error = ended.left
  switch (error._tag) {
    case "ToolIterationLimitExceededError":
      return Effect.succeed({ outcome: "limit", summary: "" })
    case "GenerationAbortedError":
    case "InvalidOptionError":
    case "RepeatedCallsError":
    case "ToolNotFoundError":
    case "ToolsOnlySupportNSingletonError":
      // These cannot happen: the run has no signal and no limit for repetitions, requires no tool, and requests one
      // reply.
      return Effect.die(error)
    case "ModelError":
      return error.reason._tag === "BudgetReached"
        ? Effect.succeed({ outcome: "budget", summary: "" })
        : Effect.fail(error)
    default:
      return Effect.fail(error)
  }
}

/** Records what the model has answered as the map, unless it says that the earlier one holds. Returns the map. */
const recordMap = Effect.fnUntraced(function* (
  index: IndexStore.Index,
  answer: string,
  earlier: string | undefined,
  watch: IndexObserver.Watch,
) {
  const written = ProjectMap.isUnchanged(answer) ? undefined : ProjectMap.parse(answer)
  if (written !== undefined) yield* index.recordMap(written)
  const map = written ?? earlier
  if (map !== undefined) yield* watch(IndexEvent.Mapped({ map }))
  return map
})

/** Returns whether the rest of the budget of the run covers a call of so many tokens. */
const affords = ({ affords }: LanguageModel.Service, tokens: LanguageModel.TokenCount): Effect.Effect<boolean> =>
  affords === undefined ? Effect.succeed(true) : affords(tokens)

/** Returns a model that refuses a request if the rest of the budget would then not cover these tokens any more. */
const keeping = (model: LanguageModel.Service, kept: LanguageModel.TokenCount): LanguageModel.Service => ({
  ...model,
  generate: (request, observer) =>
    Effect.flatMap(
      affords(model, {
        inputTokens: RunBudget.estimate(request) + kept.inputTokens,
        outputTokens: RunBudget.MIN_ANSWER_TOKENS + kept.outputTokens,
      }),
      (isAfforded) =>
        isAfforded
          ? model.generate(request, observer)
          : new ModelError({
              model: String(model.id),
              reason: new BudgetReached({ message: "what is left of the run's limit is kept for the batches" }),
            }),
    ),
})

/** Says why a batch brought no purpose. A batch that is sent again in parts has not failed. */
const failureOf = (event: IndexEvent): string | undefined =>
  event._tag === "BatchEnded" && event.explained === 0 && event.isSplit !== true ? event.reason : undefined

const countFailures = (reasons: ReadonlyArray<string>): Pick<Report, "failedBatches" | "failures"> => ({
  failedBatches: reasons.length,
  failures: Array.from(
    Map.groupBy(reasons, (reason) => reason),
    ([reason, { length: batches }]) => ({ reason, batches }),
  )
    .toSorted((one, other) => other.batches - one.batches)
    .slice(0, MAX_FAILURES),
})

const MAX_FAILURES = 10

/** Counts the open symbols of the files that count. */
const countOpen = (files: ReadonlyArray<IndexStore.IndexedFile>): number =>
  WorkLeft.of(files).files.reduce((sum, { open }) => sum + open, 0)

/** Counts the symbols that get a purpose in this run, and fails `failed` if purposes cannot be stored. */
const countingWrites = (
  index: IndexStore.Index,
  written: Ref.Ref<Set<string>>,
  failed: Deferred.Deferred<never, IndexError>,
  watch: IndexObserver.Watch,
): IndexStore.Index =>
  decorate(index, {
    onRecordFailed: (error) => Deferred.fail(failed, error),
    onRecorded: Effect.fnUntraced(function* (purposes) {
      // The set grows in place: a copy for each of thousands of batches would take longer than their answers.
      const keys = yield* Ref.get(written)
      for (const { entry } of purposes) keys.add(`${entry.path}\0${entry.startLine}\0${entry.qualifiedName}`)
      yield* watch(IndexEvent.Recorded({ purposesWritten: keys.size }))
    }),
  })
