/**
 * Runs the batches of an exploration: sends them to models, several at a time, each as a branch of its own below the
 * root of the conversation, so that no request repeats another batch.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { GenerateError } from "../agent/GenerateError.ts"
import { inParallel } from "../base/concurrency.ts"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { ForestError } from "../forest/ForestError.ts"
import { type IndexEntry, versionOf } from "../index/IndexEntry.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { Index } from "../index/IndexStore.ts"
import * as WorkLeft from "../index/WorkLeft.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import { type Batch, describe, halve } from "./Batch.ts"
import * as Batches from "./Batches.ts"
import * as BatchRequest from "./BatchRequest.ts"
import type { ExplorerError } from "./ExplorerError.ts"
import { IndexEvent } from "./IndexEvent.ts"
import * as FollowUps from "./internal/FollowUps.ts"
import { limitsFor, sourcesOf } from "./internal/planOf.ts"
import * as TaskQueue from "./internal/TaskQueue.ts"
import type { Outcome } from "./RunState.ts"
import * as RunState from "./RunState.ts"

export type { Outcome } from "./RunState.ts"
export { limitsFor, sourcesOf }

export interface Settings extends BatchRequest.Settings {
  readonly workspace: Workspace
  readonly index: Index
  readonly model: LanguageModel.Service
  /** Explains types and constants, if there is one. */
  readonly liteModel: LanguageModel.Service | undefined
  /** How many batches are under way at a time; halved when the provider limits the rate. */
  readonly parallel: number
  /** The most requests of an exploration, and how many of them the first one has left. */
  readonly maxRequests: number
  readonly requestsLeft: number
  /** Plans what is sent to a model: by default the open symbols of the index (`Batches.prepare`). */
  readonly plan?:
    | ((
        model: LanguageModel.Service,
        options: Batches.Options,
      ) => Effect.Effect<Batches.Prepared, IndexError | FileError | ExplorerError>)
    | undefined
  /** False if symbols that were not explained are not asked for once more. */
  readonly asksAgain?: boolean | undefined
  /** The run ends after so many batches in a row without a single purpose: `MAX_FRUITLESS` by default. */
  readonly maxFruitless?: number | undefined
  /** Receives each message before it is sent. */
  readonly onSend?: ((message: string, batch: Batch) => Effect.Effect<void>) | undefined
  /** The cost of the run before its batches, in US dollars; undefined if a price is unknown. */
  readonly spent?: number | undefined
  /** Called before a further exploration; undefined if the run is limited to one. */
  readonly startNext: Effect.Effect<void> | undefined
}

export type Failure = ModelError | ForestError | IndexError | FileError | ExplorerError

/** The run ends after so many batches in a row without a single purpose: the model does not follow the instruction. */
const MAX_FRUITLESS = 3

/**
 * Asks for each batch once. Symbols that are then missing, refused or weak are asked for once more in batches of their
 * own, at the end or as soon as they fill one. If a model cannot answer one batch, that batch stays open; other
 * failures end the run once the requests under way are answered and their purposes stored.
 */
export const run = (settings: Settings): Effect.Effect<Outcome, Failure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { index, liteModel, model, parallel, watch, workspace } = settings
      const state = yield* Ref.make<RunState.RunState<Failure>>(RunState.initial(settings))
      const stop = (reason: RunState.End<Failure>) => Ref.update(state, (before) => RunState.stop(before, reason))
      const followUps = yield* FollowUps.make
      const { plan = (_, options) => Batches.prepare(workspace, index, options) } = settings
      const plans = yield* Effect.forEach(sourcesOf(model, liteModel), ({ model, only }) =>
        Effect.map(plan(model, { ...limitsFor(model), only }), (prepared) => ({ model, prepared })),
      )
      const queue = yield* TaskQueue.make(plans)

      /** Reports how many requests the run will have made after this many more. */
      const expect = Effect.fnUntraced(function* (batches: number) {
        const { expected: requests } = yield* Ref.updateAndGet(state, (before) => ({
          ...before,
          expected: before.expected + batches,
        }))
        const most = settings.startNext === undefined ? settings.maxRequests : Number.POSITIVE_INFINITY
        yield* watch(IndexEvent.Expected({ requests: Math.min(requests, most) }))
      })
      yield* watch(IndexEvent.Planned({ symbols: plans.reduce((sum, { prepared }) => sum + prepared.symbols, 0) }))
      yield* expect(plans.reduce((sum, { prepared }) => sum + prepared.count, 0))

      const finish = Effect.fnUntraced(function* (
        { batch }: TaskQueue.Task,
        number: number,
        left: number,
        reason: string | undefined,
        isRefused = false,
      ) {
        const explained = batch.symbols.length - left
        const inARow = batch.sent?.isEarlier
          ? 0
          : (yield* Ref.updateAndGet(state, (before) => RunState.noteBatch(before, explained))).fruitless
        yield* watch(
          IndexEvent.BatchEnded({
            number,
            area: describe(batch),
            symbols: batch.symbols.length,
            explained,
            reason,
            ...(isRefused && { isRefused }),
          }),
        )
        if (inARow >= (settings.maxFruitless ?? MAX_FRUITLESS)) yield* stop({ _tag: "Fruitless" })
      })

      /**
       * Plans batches for some open symbols alone. They take few tokens, since they leave out the source of all others.
       */
      const tasksOf = Effect.fnUntraced(function* (
        symbols: ReadonlyMap<string, IndexEntry>,
        limits: Batches.Options,
        task: Omit<TaskQueue.Task, "batch">,
      ) {
        const batches = yield* Stream.runCollect(Batches.plan(workspace, FollowUps.viewOf(index, symbols), limits))
        yield* expect(batches.length)
        return Array.from(batches, (batch): TaskQueue.Task => ({ ...task, batch }))
      })

      const putFollowUps = Effect.gen(function* () {
        const symbols = yield* followUps.take
        if (symbols.size === 0) return
        yield* queue.put(yield* tasksOf(symbols, limitsFor(model), { model, isFollowUp: true, isPart: false }))
      })

      /** Sends a batch that was too long again, in parts of half its length. */
      const split = Effect.fnUntraced(function* (task: TaskQueue.Task) {
        const { symbols, tokens } = task.batch
        const limits = { maxTokens: Math.ceil(tokens / 2), maxSymbols: Math.ceil(symbols.length / 2) }
        const all = new Map(symbols.map((entry) => [versionOf(entry), entry] as const))
        yield* queue.put(yield* tasksOf(all, limits, { ...task, isPart: true }))
      })

      /**
       * Takes back a batch that would exceed the budget of the run, and puts its halves back. They may fit into the
       * rest of the budget, so a run explains as many symbols as it allows, the most used first. One symbol cannot be
       * divided and ends the run.
       */
      const shrink = Effect.fnUntraced(function* (task: TaskQueue.Task) {
        const { sent, symbols } = task.batch
        if (symbols.length <= 1 || sent !== undefined) return yield* stop({ _tag: "Budget" })
        yield* Ref.update(state, RunState.giveBack)
        yield* expect(-1)
        for (const half of halve(symbols).toReversed()) {
          const open = new Map(half.map((entry) => [versionOf(entry), entry] as const))
          yield* queue.put(yield* tasksOf(open, limitsFor(task.model), task))
        }
      })

      const handleModelError = (task: TaskQueue.Task, number: number, left: number, error: ModelError) => {
        const { symbols } = task.batch
        switch (BatchRequest.reactionTo(error.reason._tag, { isPart: task.isPart, symbols: symbols.length })) {
          case "shrink":
            return Effect.zipRight(
              shrink(task),
              Ref.update(state, (before) => ({ ...before, sent: before.sent - 1 })),
            )
          case "split": {
            const reason = `${error.message}; it is sent in parts`
            const batch = { number, area: describe(task.batch), symbols: symbols.length, explained: 0 }
            return Effect.zipRight(watch(IndexEvent.BatchEnded({ ...batch, reason, isSplit: true })), split(task))
          }
          case "skip":
            return finish(task, number, left, error.message, true)
          case "end":
            return stop({ _tag: "Failed", failure: error })
        }
      }

      const handleFailure = (
        task: TaskQueue.Task,
        number: number,
        left: number,
        error: GenerateError,
      ): Effect.Effect<void, IndexError | FileError | ExplorerError> => {
        switch (error._tag) {
          case "GenerationAbortedError":
          case "InvalidOptionError":
          case "RepeatedCallsError":
          case "ToolIterationLimitExceededError":
          case "ToolNotFoundError":
          case "ToolsOnlySupportNSingletonError":
            // These cannot happen: the run has no signal, requires a tool that is offered, requests one reply, and its
            // limit is no failure.
            return Effect.die(error)
          case "ModelError":
            return handleModelError(task, number, left, error)
          default:
            return stop({ _tag: "Failed", failure: error })
        }
      }

      const ask = Effect.fnUntraced(function* (task: TaskQueue.Task) {
        const { batch, isFollowUp } = task
        const request = yield* BatchRequest.make(settings, {
          task,
          followUps,
          onRecord: ({ length }) => Ref.update(state, (before) => ({ ...before, recorded: before.recorded + length })),
          slowDown: Ref.update(state, RunState.slowDown),
        })
        if (!(yield* request.isAffordable)) return yield* shrink(task)
        const { sent: number } = yield* Ref.updateAndGet(state, (before) => ({ ...before, sent: before.sent + 1 }))
        yield* watch(
          IndexEvent.BatchSent({
            number,
            area: describe(batch),
            symbols: batch.symbols.length,
            model: String(task.model.id),
            isAgain: isFollowUp,
          }),
        )
        if (settings.onSend !== undefined) yield* settings.onSend(request.text, batch)
        const { failure, left, refusal = "the model did not explain them" } = yield* request.send(number)
        yield* Ref.update(state, (before) => RunState.noteAnswer(before, failure !== undefined))
        if (failure !== undefined) return yield* handleFailure(task, number, left.length, failure)
        const isNews = left.length > 0 && (isFollowUp || left.length === batch.symbols.length)
        // The rest of a batch is asked for again, so it is not reported yet.
        yield* finish(task, number, left.length, isNews ? refusal : undefined)
        if (isFollowUp || settings.asksAgain === false) return
        yield* followUps.add(left)
        // They fill a batch, so there is no reason to wait for the end.
        if ((yield* followUps.size) >= (limitsFor(model).maxSymbols ?? Batches.MAX_SYMBOLS)) yield* putFollowUps
      })

      /** Sends requests until there are none, or the run ends. Workers beyond the allowed number end themselves. */
      const work = (worker: number): Effect.Effect<void> =>
        Effect.gen(function* () {
          while (yield* Ref.modify(state, (before) => RunState.takeRequest(before, worker))) {
            const task = yield* queue.next
            if (task === undefined) return yield* Ref.update(state, RunState.giveBack)
            yield* ask(task)
          }
        }).pipe(Effect.catchAll((failure) => stop({ _tag: "Failed", failure })))

      for (;;) {
        const before = yield* Ref.get(state)
        yield* inParallel(Array.from({ length: Math.max(1, parallel) }, (_, worker) => work(worker)))
        const after = yield* Ref.get(state)
        if (after.end?._tag === "Failed") return yield* Effect.fail(after.end.failure)
        const early = RunState.early(after)
        if (early !== undefined) return early
        if (yield* queue.isEmpty) {
          yield* putFollowUps
          if (yield* queue.isEmpty) return RunState.toOutcome(after, "complete")
        }
        if (after.requestsLeft > 0) continue
        // Weak purposes alone are no reason to say that the run was cut short.
        const isExplained = WorkLeft.of(yield* index.files).files.length === 0
        if (settings.startNext === undefined && isExplained) return { outcome: "complete", batches: after.sent }
        // If the first exploration sent no request, nothing could be recorded.
        const isFruitless = after.recorded === before.recorded && after.sent > 0
        if (settings.startNext === undefined || isFruitless) return RunState.toOutcome(after, "limit")
        yield* settings.startNext
        yield* Ref.update(state, (before) => ({ ...before, requestsLeft: settings.maxRequests }))
      }
    }),
  )

/**
 * Explains the open symbols of an index: through models that this process asks or, in another adapter, workers
 * elsewhere. The default asks from this process and loads nothing else.
 */
export class Explorer extends Context.Reference<Explorer>()("vibe/explore/Explorer", {
  defaultValue: (): Explaining => ({ resume: () => Effect.succeed(undefined), explain: run }),
}) {}

export interface Explaining {
  /**
   * Joins a run that was begun elsewhere, before anything is sent to a model, and stores the answers that were given
   * there. Fails if this process may not join. Returns the outcome if no symbol is open then; otherwise undefined, and
   * `explain` goes on.
   */
  readonly resume: (settings: Settings) => Effect.Effect<Outcome | undefined, Failure>
  /** Explains the open symbols, and stores each purpose before it counts as explained. */
  readonly explain: (settings: Settings) => Effect.Effect<Outcome, Failure>
}
