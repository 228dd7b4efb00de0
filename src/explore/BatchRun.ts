/**
 * Runs the batches of an exploration: sends them to models, several at a time, each as a branch of its own below the
 * root of the conversation, so that no request repeats another batch.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { GenerateError } from "../agent/GenerateError.ts"
import type * as LoomEngine from "../agent/LoomEngine.ts"
import type { Sink } from "../agent/TurnEvent.ts"
import { inParallel } from "../base/inParallel.ts"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { Node } from "../forest/Node.ts"
import { type IndexEntry, versionOf } from "../index/IndexEntry.ts"
import type { IndexError } from "../index/IndexError.ts"
import type { Index, NewPurpose } from "../index/IndexStore.ts"
import * as WorkLeft from "../index/WorkLeft.ts"
import * as Block from "../message/Block.ts"
import * as Message from "../message/Message.ts"
import type { ModelId } from "../message/ModelId.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import * as RunBudget from "../model/RunBudget.ts"
import type { Thinking } from "../model/Thinking.ts"
import type { ToolChoice } from "../tool/ToolChoice.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import { answerTokens, type Batch, describe } from "./Batch.ts"
import * as Batches from "./Batches.ts"
import { RECORDING } from "./ExplorationTools.ts"
import type { ExplorerError } from "./ExplorerError.ts"
import { IndexEvent } from "./IndexEvent.ts"
import type { Watch } from "./IndexObserver.ts"
import * as Instruction from "./Instruction.ts"
import * as FollowUps from "./internal/FollowUps.ts"
import { limitsFor, sourcesOf } from "./internal/planOf.ts"
import * as TaskQueue from "./internal/TaskQueue.ts"
import * as TextAnswer from "./internal/TextAnswer.ts"

export { limitsFor, sourcesOf }

export interface Settings {
  readonly loom: LoomEngine.Service
  readonly workspace: Workspace
  readonly index: Index
  /** The root of the conversation: each batch is a branch below it. */
  readonly root: NodeId
  /** The map of the project, which is sent with every batch. */
  readonly map: string | undefined
  readonly model: LanguageModel.Service
  /** Explains types and constants, if there is one. */
  readonly liteModel: LanguageModel.Service | undefined
  readonly thinking: Thinking | undefined
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
  /** Returns the tools for a batch. `onRecord` receives the purposes that they have stored. */
  readonly toolsFor: (batch: Batch, onRecord: OnRecord) => ToolRegistry.Service
  readonly watch: Watch
  /** Returns the receiver of the events of the conversation with that number. */
  readonly onEvent: (branch: number) => Sink
}

export type OnRecord = (purposes: ReadonlyArray<NewPurpose>) => Effect.Effect<void>

export type Failure = ModelError | ForestError | IndexError | FileError | ExplorerError

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

/** The run ends after so many batches in a row without a single purpose: the model does not follow the instruction. */
const MAX_FRUITLESS = 3

/** Why the run ends before all batches are sent. */
type End =
  | { readonly _tag: "Budget" }
  | { readonly _tag: "Fruitless" }
  | { readonly _tag: "Failed"; readonly failure: Failure }

/**
 * Asks for each batch once. Symbols that are then missing, refused or weak are asked for once more in batches of their
 * own, at the end or as soon as they fill one. If a model cannot answer one batch, that batch stays open; other
 * failures end the run once the requests under way are answered and their purposes stored.
 */
export const run = (settings: Settings): Effect.Effect<Outcome, Failure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { index, liteModel, loom, model, onEvent, parallel, watch, workspace } = settings
      const end = yield* Ref.make<End | undefined>(undefined)
      const allowed = yield* Ref.make(Math.max(1, parallel))
      const requestsLeft = yield* Ref.make(settings.requestsLeft)
      const sent = yield* Ref.make(0)
      const recorded = yield* Ref.make(0)
      /** Says whether there was an answer, of whatever kind, and whether the last request was refused. */
      const answers = yield* Ref.make({ some: false, isLastRefused: false })
      const fruitless = yield* Ref.make(0)
      const followUps = yield* FollowUps.make
      const { plan = (_, options) => Batches.prepare(workspace, index, options) } = settings
      const plans = yield* Effect.forEach(sourcesOf(model, liteModel), ({ model, only }) =>
        Effect.map(plan(model, { ...limitsFor(model), only }), (prepared) => ({ model, prepared })),
      )
      const queue = yield* TaskQueue.make(plans)

      const expected = yield* Ref.make(settings.maxRequests - settings.requestsLeft)
      /** Reports how many requests the run will have made after this many more. */
      const expect = Effect.fnUntraced(function* (batches: number) {
        const requests = yield* Ref.updateAndGet(expected, (before) => before + batches)
        const most = settings.startNext === undefined ? settings.maxRequests : Number.POSITIVE_INFINITY
        yield* watch(IndexEvent.Expected({ requests: Math.min(requests, most) }))
      })
      yield* watch(IndexEvent.Planned({ symbols: plans.reduce((sum, { prepared }) => sum + prepared.symbols, 0) }))
      yield* expect(plans.reduce((sum, { prepared }) => sum + prepared.count, 0))

      const stop = (reason: End) => Ref.update(end, (before) => before ?? reason)

      const finish = Effect.fnUntraced(function* (
        { batch }: TaskQueue.Task,
        number: number,
        left: number,
        reason: string | undefined,
      ) {
        const explained = batch.symbols.length - left
        const inARow = batch.sent?.isEarlier
          ? 0
          : yield* Ref.updateAndGet(fruitless, (count) => (explained === 0 ? count + 1 : 0))
        yield* watch(
          IndexEvent.BatchEnded({
            number,
            area: describe(batch),
            symbols: batch.symbols.length,
            explained,
            reason,
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
        yield* Ref.update(requestsLeft, (left) => left + 1)
        yield* expect(-1)
        const byUse = symbols.toSorted((one, other) => other.usedBy - one.usedBy)
        const middle = Math.ceil(byUse.length / 2)
        for (const half of [byUse.slice(middle), byUse.slice(0, middle)]) {
          const open = new Map(half.map((entry) => [versionOf(entry), entry] as const))
          yield* queue.put(yield* tasksOf(open, limitsFor(task.model), task))
        }
      })

      /** Returns whether the rest of the budget covers a message and its answer. */
      const affords = ({ batch, model }: TaskQueue.Task, text: string, tools: ToolRegistry.Service) =>
        model.affords === undefined || batch.sent !== undefined
          ? Effect.succeed(true)
          : model.affords({
              inputTokens: RunBudget.estimate({
                system: Instruction.system,
                messages: [Message.user(text)],
                tools: tools.tools,
              }),
              outputTokens: Math.min(minAnswerTokens(batch), model.limits?.output ?? Number.POSITIVE_INFINITY),
            })

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
          case "ModelError": {
            const { _tag: reason } = error.reason
            if (reason === "BudgetReached") {
              // The request was not sent.
              return Effect.zipRight(
                shrink(task),
                Ref.update(sent, (count) => count - 1),
              )
            }
            if (tooLong.has(reason) && !task.isPart && task.batch.symbols.length > 1) {
              const ended = IndexEvent.BatchEnded({
                number,
                area: describe(task.batch),
                symbols: task.batch.symbols.length,
                explained: 0,
                reason: `${error.message}; it is sent in parts`,
                isSplit: true,
              })
              return Effect.zipRight(watch(ended), split(task))
            }
            return isOfBatch.has(reason)
              ? finish(task, number, left, error.message)
              : stop({ _tag: "Failed", failure: error })
          }
          default:
            return stop({ _tag: "Failed", failure: error })
        }
      }

      /** Treats an answer that a model wrote as text like the tool call that it stands for. */
      const recordText = Effect.fnUntraced(function* (
        nodes: ReadonlyArray<Node>,
        tools: ToolRegistry.Service,
        model: ModelId,
        number: number,
      ) {
        const [node] = nodes
        if (node?.source.type !== "model") return
        const entries = TextAnswer.read(Message.text(node.message), node.source.finish === "stop")
        if (entries === undefined) return
        const call = Block.toolUse(`text-${number}`, RECORDING, { entries })
        yield* watch(IndexEvent.ToolStarted({ name: call.name, parameters: call.parameters, batch: number }))
        const result = yield* tools.execute(call, { node: node.id, callId: call.id, model })
        const { isError = false, text } = result
        yield* watch(IndexEvent.ToolFinished({ name: call.name, text, isError, batch: number }))
        return result.data
      })

      const ask = Effect.fnUntraced(function* (task: TaskQueue.Task) {
        const { batch, isFollowUp } = task
        /** Versions of symbols that have got a purpose. */
        const explained = yield* Ref.make<ReadonlySet<string>>(new Set())
        const tools = settings.toolsFor(batch, (purposes) =>
          Effect.all(
            [
              followUps.noteRecorded(purposes),
              Ref.update(recorded, (count) => count + purposes.length),
              Ref.update(explained, (before) => new Set([...before, ...purposes.map(({ entry }) => versionOf(entry))])),
            ],
            { discard: true },
          ),
        )
        const text = batch.sent?.message ?? Instruction.batch(settings.map, batch, yield* followUps.earlierIn(batch))
        if (!(yield* affords(task, text, tools))) return yield* shrink(task)
        const number = yield* Ref.updateAndGet(sent, (count) => count + 1)
        yield* watch(
          IndexEvent.BatchSent({
            number,
            area: describe(batch),
            symbols: batch.symbols.length,
            model: String(task.model.id),
            isAgain: isFollowUp,
          }),
        )
        if (settings.onSend !== undefined) yield* settings.onSend(text, batch)
        const answeredBy = yield* Ref.make(task.model.id)
        const refusals = yield* Ref.make<ReadonlyArray<string>>([])
        const noteResult = (data: unknown) =>
          Effect.flatMap(followUps.noteResult(data), (reasons) =>
            Ref.update(refusals, (before) => [...before, ...reasons]),
          )
        const result = yield* loom
          .generate(settings.root, {
            text,
            tools,
            toolChoice: choiceOf(settings.thinking),
            model: task.model,
            thinking: settings.thinking,
            maxToolIterations: 1,
            minOutputTokens: batch.sent === undefined ? minAnswerTokens(batch) : undefined,
            onEvent: (event) =>
              Effect.gen(function* () {
                if (event._tag === "ReplyReceived") yield* Ref.set(answeredBy, event.reply.model)
                if (event._tag === "ToolFinished") yield* noteResult(event.result.data)
                if (event._tag === "RetryScheduled" && event.error.reason._tag === "RateLimited") {
                  yield* Ref.update(allowed, (count) => Math.max(1, Math.floor(count / 2)))
                }
                yield* onEvent(number)(event)
              }),
          })
          .pipe(Effect.either)
        if (Either.isRight(result)) {
          yield* noteResult(yield* recordText(result.right, tools, yield* Ref.get(answeredBy), number))
        }
        const done = yield* Ref.get(explained)
        const left = batch.symbols.filter((entry) => !done.has(versionOf(entry)))
        if (Either.isLeft(result) && result.left._tag !== "ToolIterationLimitExceededError") {
          yield* Ref.update(answers, ({ some }) => ({ some, isLastRefused: true }))
          return yield* handleFailure(task, number, left.length, result.left)
        }
        yield* Ref.set(answers, { some: true, isLastRefused: false })
        const isNews = left.length > 0 && (isFollowUp || left.length === batch.symbols.length)
        const reason = mostFrequent(yield* Ref.get(refusals)) ?? "the model did not explain them"
        // The rest of a batch is asked for again, so it is not reported yet.
        yield* finish(task, number, left.length, isNews ? reason : undefined)
        if (isFollowUp || settings.asksAgain === false) return
        yield* followUps.add(left)
        // They fill a batch, so there is no reason to wait for the end.
        if ((yield* followUps.size) >= (limitsFor(model).maxSymbols ?? Batches.MAX_SYMBOLS)) yield* putFollowUps
      })

      const takeRequest = Ref.modify(requestsLeft, (left) => [left > 0, Math.max(0, left - 1)] as const)

      /** Sends requests until there are none, or the run ends. Workers beyond the allowed number end themselves. */
      const work = (worker: number): Effect.Effect<void> =>
        Effect.gen(function* () {
          while ((yield* Ref.get(end)) === undefined && worker < (yield* Ref.get(allowed)) && (yield* takeRequest)) {
            const task = yield* queue.next
            if (task === undefined) {
              yield* Ref.update(requestsLeft, (left) => left + 1)
              return
            }
            yield* ask(task)
          }
        }).pipe(Effect.catchAll((failure) => stop({ _tag: "Failed", failure })))

      for (;;) {
        const before = yield* Ref.get(recorded)
        yield* inParallel(Array.from({ length: Math.max(1, parallel) }, (_, worker) => work(worker)))
        const ended = yield* Ref.get(end)
        if (ended?._tag === "Failed") return yield* Effect.fail(ended.failure)
        const batches = yield* Ref.get(sent)
        if (ended?._tag === "Budget") return { outcome: "budget", batches } as const
        // A model that answers with words ends by itself, as specified: only refusals are a failure of the run.
        const { isLastRefused, some } = yield* Ref.get(answers)
        if (ended?._tag === "Fruitless") {
          return { outcome: isLastRefused ? "unexplained" : "complete", batches, isFruitless: true } as const
        }
        const isUnexplained = batches > 0 && !some && (yield* Ref.get(recorded)) === 0
        if (yield* queue.isEmpty) {
          yield* putFollowUps
          if (yield* queue.isEmpty) return { outcome: isUnexplained ? "unexplained" : "complete", batches } as const
        }
        if ((yield* Ref.get(requestsLeft)) > 0) continue
        // Weak purposes alone are no reason to say that the run was cut short.
        const isExplained = WorkLeft.of(yield* index.files).files.length === 0
        if (settings.startNext === undefined && isExplained) return { outcome: "complete", batches } as const
        // If the first exploration sent no request, nothing could be recorded.
        const isFruitless = (yield* Ref.get(recorded)) === before && batches > 0
        if (settings.startNext === undefined || isFruitless) {
          return { outcome: isUnexplained ? "unexplained" : "limit", batches } as const
        }
        yield* settings.startNext
        yield* Ref.set(requestsLeft, settings.maxRequests)
      }
    }),
  )

/** An answer is cut off if the budget leaves less than this: a quarter more than its mean length. */
const minAnswerTokens = ({ symbols }: Batch): number => Math.ceil(1.25 * answerTokens(symbols.length))

const mostFrequent = (texts: ReadonlyArray<string>): string | undefined => {
  const counts = Array.from(
    Map.groupBy(texts, (text) => text),
    ([text, { length }]) => ({ text, length }),
  )
  return counts.toSorted((one, other) => other.length - one.length)[0]?.text
}

/**
 * Some models describe what they would record instead of recording it, so the tool is required. A model that thinks is
 * free to choose, since providers refuse one or the other, or leave out the thoughts.
 */
export const choiceOf = (thinking: Thinking | undefined): ToolChoice =>
  thinking === "off" ? { tool: RECORDING } : "auto"

/** Writes the message that first sends a batch. */
export const messageOf = (map: string | undefined, batch: Batch): Effect.Effect<string> =>
  Effect.map(
    Effect.flatMap(FollowUps.make, ({ earlierIn }) => earlierIn(batch)),
    (earlier) => Instruction.batch(map, batch, earlier),
  )

type Reason = ModelError["reason"]["_tag"]

const tooLong: ReadonlySet<Reason> = new Set(["ContextOverflow", "OutputLimit"])

/** Failures of one batch: the model may well do another one. */
export const isOfBatch: ReadonlySet<Reason> = new Set([
  ...tooLong,
  "Blocked",
  "Unusable",
  "Empty",
  "InvalidRequest",
  "StreamIncomplete",
  "TimedOut",
])
