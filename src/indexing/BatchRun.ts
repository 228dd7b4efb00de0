/**
 * The batches of a run: sends them to models, several at a time, each as a branch of its own below the root of the
 * conversation, so that no request repeats another batch.
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { FileError } from "../code/FileError.ts"
import type { Workspace } from "../code/Workspace.ts"
import { makeMutex } from "../disk/mutex.ts"
import type { ForestError } from "../forest/ForestError.ts"
import type { GenerateError } from "../loom/GenerateError.ts"
import type * as LoomEngine from "../loom/LoomEngine.ts"
import type { Sink } from "../loom/TurnEvent.ts"
import { inParallel } from "../message/inParallel.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import type { Thinking } from "../model/Thinking.ts"
import type * as ToolRegistry from "../tool/ToolRegistry.ts"
import type { Batch } from "./Batch.ts"
import * as Batches from "./Batches.ts"
import { IndexEntry } from "./IndexEntry.ts"
import type { IndexError } from "./IndexError.ts"
import { IndexEvent } from "./IndexEvent.ts"
import type { Watch } from "./IndexObserver.ts"
import type { Index, NewPurpose } from "./IndexStore.ts"
import * as Instruction from "./Instruction.ts"

export interface Settings {
  readonly loom: LoomEngine.Service
  readonly workspace: Workspace
  readonly index: Index
  /** The root of the conversation: each batch is a branch below it. */
  readonly root: NodeId
  /** Sent with every batch. */
  readonly map: string | undefined
  readonly model: LanguageModel.Service
  /** Explains types and constants, where there is one. */
  readonly liteModel: LanguageModel.Service | undefined
  readonly thinking: Thinking | undefined
  /** How many batches are under way at a time; halved when the provider limits the rate. */
  readonly parallel: number
  /** The most requests of an exploration, and how many of them the first one has left. */
  readonly maxRequests: number
  readonly requestsLeft: number
  /** Called before a further exploration; none where one is all. */
  readonly startNext: Effect.Effect<void> | undefined
  /** The tools for a batch. `onRecord` receives the purposes that they have stored. */
  readonly toolsFor: (batch: Batch, onRecord: OnRecord) => ToolRegistry.Service
  readonly watch: Watch
  /** Receives the events of the conversation with that number. */
  readonly onEvent: (branch: number) => Sink
}

export type OnRecord = (purposes: ReadonlyArray<NewPurpose>) => Effect.Effect<void>

export type Failure = ModelError | ForestError | IndexError | FileError

export interface Outcome {
  /**
   * `complete`: every batch was sent, or several in a row brought nothing. `limit`: the requests were used up. `budget`: the
   * next request would have exceeded the budget of the run.
   */
  readonly outcome: "complete" | "limit" | "budget"
  /** Batches that were sent. */
  readonly batches: number
}

/** Batches in a row without a single purpose, after which the run ends: the model does not do as it is told. */
const MAX_FRUITLESS = 3

/** For a model on the user's own machine, which reads slowly. In tokens of a batch. */
const MAX_LOCAL_TOKENS = 12_000

/** One request about a batch. */
interface Task {
  readonly number: number
  readonly batch: Batch
  readonly model: LanguageModel.Service
  readonly tools: ToolRegistry.Service
  /** Versions of symbols (`versionOf`) that have got a purpose. */
  readonly explained: Ref.Ref<ReadonlySet<string>>
  /** Where the next message goes. */
  readonly cursor: NodeId
  /** What is missing or was refused is asked for once more. */
  readonly isAgain: boolean
  /** Its symbols have weak purposes, which are asked for once more. */
  readonly isWeak: boolean
  /** Part of a batch that was too long: it is not split again. */
  readonly isPart: boolean
}

/** Why the run ends before all batches are sent. */
type End =
  | { readonly _tag: "Budget" }
  | { readonly _tag: "Fruitless" }
  | { readonly _tag: "Failed"; readonly failure: Failure }

/**
 * Asks for each batch once, and once more for what is missing. What a model cannot do with one batch leaves that batch open;
 * other failures end the run after the requests that are under way, whose purposes are stored.
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
      const fruitless = yield* Ref.make(0)
      /** Weak purposes that were recorded, by version; none once they were asked for again. */
      const weak = yield* Ref.make<ReadonlyMap<string, NewPurpose>>(new Map())
      const areWeakSent = yield* Ref.make(false)
      /** Before all others: further requests about batches that were sent, and parts. */
      const waiting = yield* Ref.make<ReadonlyArray<Task>>([])
      const sources = yield* Effect.forEach(sourcesOf(model, liteModel), ({ model, only }) =>
        Effect.map(
          Stream.toPull(Batches.plan(workspace, index, { ...limitsFor(model), only })),
          (pull): Source => ({ model, pull }),
        ),
      )
      /** The sources that may have more, each with the tokens that were taken from it. */
      const open = yield* Ref.make<ReadonlyArray<readonly [source: Source, tokens: number]>>(
        sources.map((source) => [source, 0]),
      )
      const oneAtATime = makeMutex()

      const stop = (reason: End) => Ref.update(end, (before) => before ?? reason)

      const noteWeak = (purposes: ReadonlyArray<NewPurpose>) =>
        Ref.update(weak, (before) => {
          const after = new Map(before)
          for (const purpose of purposes) {
            if (purpose.weak === undefined) after.delete(versionOf(purpose.entry))
            else after.set(versionOf(purpose.entry), purpose)
          }
          return after
        })

      const toTask = Effect.fnUntraced(function* (
        batch: Batch,
        model: LanguageModel.Service,
        { isPart = false, isWeak = false },
      ) {
        const explained = yield* Ref.make<ReadonlySet<string>>(new Set())
        const tools = settings.toolsFor(batch, (purposes) =>
          Effect.zipRight(
            Effect.zipRight(
              noteWeak(purposes),
              Ref.update(recorded, (count) => count + purposes.length),
            ),
            Ref.update(explained, (before) => new Set([...before, ...purposes.map(({ entry }) => versionOf(entry))])),
          ),
        )
        const number = yield* Ref.updateAndGet(sent, (count) => count + 1)
        const cursor = settings.root
        const task: Task = { number, batch, model, tools, explained, cursor, isAgain: false, isWeak, isPart }
        return task
      })

      /** The next batch of the source from which the fewest tokens were taken. */
      const pull: Effect.Effect<Task | undefined, IndexError | FileError> = Effect.gen(function* () {
        const all = yield* Ref.get(open)
        const [first] = all.toSorted(([, one], [, other]) => one - other)
        if (first === undefined) return undefined
        const [source, tokens] = first
        const pulled = yield* Effect.either(source.pull)
        if (Either.isLeft(pulled)) {
          if (Option.isSome(pulled.left)) return yield* Effect.fail(pulled.left.value)
          yield* Ref.set(
            open,
            all.filter(([other]) => other !== source),
          )
          return yield* pull
        }
        // The plan is one batch a chunk; should it be several, the others are sent next.
        const tasks = yield* Effect.forEach(pulled.right, (batch) => toTask(batch, source.model, {}))
        const taken = tasks.reduce((sum, { batch }) => sum + batch.tokens, tokens)
        yield* Ref.set(
          open,
          all.map((each) => (each[0] === source ? [source, taken] : each)),
        )
        yield* Ref.update(waiting, (before) => [...tasks, ...before])
        return yield* takeWaiting
      })
      const takeWaiting = Ref.modify(waiting, ([first, ...others]) => [first, others] as const)
      const next = oneAtATime(Effect.flatMap(takeWaiting, (task) => (task === undefined ? pull : Effect.succeed(task))))
      const putBack = (tasks: ReadonlyArray<Task>) => Ref.update(waiting, (before) => [...tasks, ...before])

      const finish = Effect.fnUntraced(function* (task: Task, reason: string | undefined) {
        const { area, symbols } = task.batch
        const left = missing(task.batch, yield* Ref.get(task.explained))
        const explained = symbols.length - left.length
        const inARow = yield* Ref.updateAndGet(fruitless, (count) => (explained === 0 ? count + 1 : 0))
        yield* watch(
          IndexEvent.BatchEnded({
            number: task.number,
            area,
            symbols: symbols.length,
            explained,
            reason: left.length === 0 ? undefined : (reason ?? "the model did not explain them"),
          }),
        )
        if (inARow >= MAX_FRUITLESS) yield* stop({ _tag: "Fruitless" })
      })

      /** A batch that was too long, as parts of half its length. */
      const split = Effect.fnUntraced(function* ({ batch, model }: Task) {
        const limits = {
          maxTokens: Math.ceil(batch.tokens / 2),
          maxSymbols: Math.ceil(batch.symbols.length / 2),
        }
        const parts = yield* Stream.runCollect(Batches.plan(workspace, onlyOf(index, batch), limits))
        return yield* Effect.forEach(Chunk.toReadonlyArray(parts), (part) => toTask(part, model, { isPart: true }))
      })

      /** Batches of the weak purposes, once. Without the source of others they take few tokens. */
      const weakTasks = Effect.gen(function* () {
        const found = yield* Ref.get(weak)
        if (found.size === 0 || (yield* Ref.getAndSet(areWeakSent, true)) || (yield* Ref.get(requestsLeft)) === 0)
          return []
        const batches = yield* Stream.runCollect(
          Batches.plan(workspace, reopenWeak(index, new Set(found.keys())), limitsFor(model)),
        )
        return yield* Effect.forEach(Chunk.toReadonlyArray(batches), (batch) => toTask(batch, model, { isWeak: true }))
      })

      const handleFailure = (task: Task, error: GenerateError): Effect.Effect<void, IndexError | FileError> => {
        switch (error._tag) {
          case "GenerationAbortedError":
          case "RepeatedCallsError":
          case "ToolIterationLimitExceededError":
          case "ToolNotFoundError":
          case "ToolsOnlySupportNSingletonError":
            // Cannot happen: the run has no signal, requires no tool, requests one reply, and its limit is no failure.
            return Effect.die(error)
          case "ModelError": {
            const { _tag: reason } = error.reason
            if (reason === "BudgetReached") return stop({ _tag: "Budget" })
            if (tooLong.has(reason) && !task.isPart && !task.isAgain && task.batch.symbols.length > 1) {
              return Effect.flatMap(split(task), putBack)
            }
            return isOfBatch.has(reason) ? finish(task, error.message) : stop({ _tag: "Failed", failure: error })
          }
          default:
            return stop({ _tag: "Failed", failure: error })
        }
      }

      const ask = Effect.fnUntraced(function* (task: Task) {
        const { batch, isAgain, isWeak, number } = task
        const before = missing(batch, yield* Ref.get(task.explained))
        yield* watch(
          IndexEvent.BatchSent({
            number,
            area: batch.area,
            symbols: before.length,
            model: String(task.model.id),
            isAgain,
          }),
        )
        const cursor = yield* Ref.make(task.cursor)
        const result = yield* loom
          .generate(task.cursor, {
            text: isAgain
              ? Instruction.again(before)
              : Instruction.batch(settings.map, batch, isWeak ? weakIn(batch, yield* Ref.get(weak)) : []),
            tools: task.tools,
            model: task.model,
            thinking: settings.thinking,
            maxToolIterations: 1,
            onEvent: (event) =>
              Effect.gen(function* () {
                if (event._tag === "NodeStored") yield* Ref.set(cursor, event.node.id)
                if (event._tag === "RetryScheduled" && event.error.reason._tag === "RateLimited") {
                  yield* Ref.update(allowed, (count) => Math.max(1, Math.floor(count / 2)))
                }
                yield* onEvent(number)(event)
              }),
          })
          .pipe(Effect.either)
        if (Either.isLeft(result) && result.left._tag !== "ToolIterationLimitExceededError") {
          return yield* handleFailure(task, result.left)
        }
        const left = missing(batch, yield* Ref.get(task.explained))
        if (left.length === 0 || isAgain || isWeak) {
          return yield* finish(task, isWeak ? "their weak purposes stay" : undefined)
        }
        yield* putBack([{ ...task, cursor: yield* Ref.get(cursor), isAgain: true }])
      })

      const takeRequest = Ref.modify(requestsLeft, (left) => [left > 0, Math.max(0, left - 1)] as const)

      /** Sends requests until there are none, or the run ends. Of several, those beyond what is allowed end themselves. */
      const work = (worker: number): Effect.Effect<void> =>
        Effect.gen(function* () {
          while ((yield* Ref.get(end)) === undefined && worker < (yield* Ref.get(allowed)) && (yield* takeRequest)) {
            const task = yield* next
            if (task === undefined) {
              yield* Ref.update(requestsLeft, (left) => left + 1)
              return
            }
            yield* ask(task)
          }
        }).pipe(Effect.catchAll((failure) => stop({ _tag: "Failed", failure })))

      /** Whether something is left to send. */
      const hasMore = Effect.flatMap(next, (task) =>
        task === undefined ? Effect.succeed(false) : Effect.as(putBack([task]), true),
      )

      for (;;) {
        const before = yield* Ref.get(recorded)
        yield* inParallel(Array.from({ length: Math.max(1, parallel) }, (_, worker) => work(worker)))
        const ended = yield* Ref.get(end)
        if (ended?._tag === "Failed") return yield* Effect.fail(ended.failure)
        const batches = yield* Ref.get(sent)
        if (ended !== undefined) return { outcome: ended._tag === "Budget" ? "budget" : "complete", batches } as const
        if (!(yield* hasMore)) {
          const again = yield* weakTasks
          if (again.length === 0) return { outcome: "complete", batches } as const
          yield* putBack(again)
          continue
        }
        // Without a request in the first exploration nothing could be recorded.
        const isFruitless = (yield* Ref.get(recorded)) === before && batches > 0
        if (settings.startNext === undefined || isFruitless) return { outcome: "limit", batches } as const
        yield* settings.startNext
        yield* Ref.set(requestsLeft, settings.maxRequests)
      }
    }),
  )

interface Source {
  readonly model: LanguageModel.Service
  readonly pull: Effect.Effect<Chunk.Chunk<Batch>, Option.Option<IndexError | FileError>>
}

/** The kinds of symbols that are planned apart, each with its model. */
const sourcesOf = (
  model: LanguageModel.Service,
  liteModel: LanguageModel.Service | undefined,
): ReadonlyArray<{ readonly model: LanguageModel.Service; readonly only: Batches.Options["only"] }> =>
  liteModel === undefined
    ? [{ model, only: "all" }]
    : [
        { model, only: "code" },
        { model: liteModel, only: "definitions" },
      ]

/**
 * How large a batch may be for a model. Of its window, what the instruction takes is left out, and two fifths for the answer
 * and for errors of the estimate. 32 tokens of output for a symbol are a third more than purposes take.
 */
export const limitsFor = ({
  isLocal = false,
  limits,
}: Pick<LanguageModel.Service, "isLocal" | "limits">): Batches.Options => {
  const most = isLocal ? MAX_LOCAL_TOKENS : Batches.MAX_TOKENS
  const context = limits?.context ?? Number.POSITIVE_INFINITY
  const output = limits?.output ?? Number.POSITIVE_INFINITY
  return {
    maxTokens: Math.floor(Math.min(most, Math.max(Batches.MIN_TOKENS, (context - INSTRUCTION_TOKENS) * 0.6))),
    maxSymbols: Math.floor(Math.min(Batches.MAX_SYMBOLS, Math.max(1, output / 32))),
  }
}

/** Of system instruction, tools, map and task. */
const INSTRUCTION_TOKENS = 4_000

/** The numbers of the symbols that have no purpose yet, from 1. */
const missing = ({ symbols }: Batch, explained: ReadonlySet<string>): ReadonlyArray<number> =>
  symbols.flatMap((entry, at) => (explained.has(versionOf(entry)) ? [] : [at + 1]))

const versionOf = ({ hash, path, qualifiedName }: IndexEntry): string => `${path}\0${qualifiedName}\0${hash}`

/** The weak purposes of a batch. */
const weakIn = ({ symbols }: Batch, weak: ReadonlyMap<string, NewPurpose>): ReadonlyArray<Instruction.Weak> =>
  symbols.flatMap((entry, at) => {
    const purpose = weak.get(versionOf(entry))
    return purpose?.weak === undefined ? [] : [{ number: at + 1, purpose: purpose.text, reason: purpose.weak }]
  })

/** The index as if these symbols alone were open. */
const reopenWeak = (index: Index, versions: ReadonlySet<string>): Index => ({
  ...index,
  files: Effect.zipWith(index.files, index.weak, (files, weak) => {
    const counts = Map.groupBy(
      weak.filter((entry) => versions.has(versionOf(entry))),
      ({ path }) => path,
    )
    return files.map((file) => ({ ...file, open: counts.get(file.path)?.length ?? 0 }))
  }),
  symbolsIn: (path) =>
    Effect.map(index.symbolsIn(path), (entries) =>
      entries.map((entry) =>
        versions.has(versionOf(entry))
          ? new IndexEntry({ ...entry, purpose: undefined })
          : new IndexEntry({ ...entry, isMajor: false }),
      ),
    ),
})

/** The index as if only the symbols of the batch were open. */
const onlyOf = (index: Index, { symbols }: Batch): Index => {
  const paths = new Set(symbols.map(({ path }) => path))
  const versions = new Set(symbols.map(versionOf))
  return {
    ...index,
    files: Effect.map(index.files, (files) => files.filter(({ path }) => paths.has(path))),
    symbolsIn: (path) =>
      Effect.map(index.symbolsIn(path), (entries) =>
        entries.map((entry) => (versions.has(versionOf(entry)) ? entry : new IndexEntry({ ...entry, isMajor: false }))),
      ),
  }
}

type Reason = ModelError["reason"]["_tag"]

const tooLong: ReadonlySet<Reason> = new Set(["ContextOverflow", "OutputLimit"])

/** What a model cannot do with one batch it may well do with another. */
const isOfBatch: ReadonlySet<Reason> = new Set([
  ...tooLong,
  "Blocked",
  "Unusable",
  "Empty",
  "InvalidRequest",
  "StreamIncomplete",
  "TimedOut",
])
