/** Outlines on the main thread and, as soon as there is much to outline, on worker threads. */
import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Language from "../Language.ts"
import { Symbols } from "../Symbols.ts"
import type { Source } from "./internal/outline/Walk.ts"
import * as OutlineWorker from "./internal/workers/OutlineWorker.ts"
import * as Scanner from "./Scanner.ts"

/**
 * Workers start after this many characters, some 10,000 lines, because more are likely to follow. A worker loads the
 * outliner and its grammars again: with 8,000 lines of Rust it takes a tenth of the processor time of `vibe index`, and
 * the main thread no less.
 */
const MIN_CHARS_FOR_WORKERS = 400_000

/**
 * A worker takes requests up to this many characters, so that it has work while the main thread writes to the index for
 * seconds. What the main thread outlines itself costs more, since V8 compiles the same functions for it once more.
 */
const WORKER_QUEUE_CHARS = 4_000_000

/** If there are more workers, storing the outlines takes longer than making them. */
const MAX_WORKERS = 3

/**
 * While a worker starts, the main thread keeps texts of this many characters for itself, which it outlines in that time.
 * Everything else waits for the worker: a repository that begins with C would keep the main thread busy for seconds.
 */
const MAIN_QUEUE_CHARS = 200_000

/**
 * Workers are terminated after this many looks, a second apart, at which no request had come. One look is not enough:
 * the main thread may write for seconds without a request, and a new worker has to compile its grammars again. With one
 * look after two seconds, 10,000 files of Java were outlined by fifteen workers in turn on a busy machine.
 */
const IDLE_LOOKS = 10

const make = Effect.fnUntraced(function* (entry: URL | undefined) {
  const local = yield* Scanner.make
  const scope = yield* Effect.scope
  let requestedChars = 0
  /** The characters of texts that wait for the main thread. */
  let queuedHere = 0
  let isStarted = false
  let workers: ReadonlyArray<OutlineWorker.OutlineWorker> = []

  /** Returns once there have been no requests for a while. */
  const awaitIdle = Effect.gen(function* () {
    let known = requestedChars
    for (let looks = 0; looks < IDLE_LOOKS; looks++) {
      yield* Effect.sleep("1 second")
      if (known !== requestedChars) looks = -1
      known = requestedChars
    }
  })
  /** Starts workers in this fiber, so that the requests of others find them, and keeps them until they are idle. */
  const startWorkers = Effect.gen(function* () {
    isStarted = true
    const ofWorkers = yield* Scope.fork(scope, ExecutionStrategy.sequential)
    const end = Effect.suspend(() => {
      requestedChars = 0
      isStarted = false
      workers = []
      return Scope.close(ofWorkers, Exit.void)
    })
    const count = Math.min(availableParallelism() - 1, MAX_WORKERS)
    workers = yield* Scope.extend(Effect.replicateEffect(OutlineWorker.start(entry), count), ofWorkers)
    yield* Effect.forkIn(Effect.ensuring(Effect.interruptible(awaitIdle), end), scope)
  }).pipe(Effect.uninterruptible)

  const outlineHere = (source: Source) =>
    Effect.suspend(() => {
      queuedHere += source.text.length
      return Effect.ensuring(
        Effect.zipRight(yieldToOthers, local.outline(source.path, source.text)),
        Effect.sync(() => {
          queuedHere -= source.text.length
        }),
      )
    })
  const canTake = (worker: OutlineWorker.OutlineWorker) =>
    worker.queuedChars() < WORKER_QUEUE_CHARS && (worker.isReady() || queuedHere > MAIN_QUEUE_CHARS)

  const outline = (path: string, text: string) =>
    Effect.suspend(() => {
      const source = { path, text }
      if (!hasWork.has(Language.of(path, text)?.outline)) return outlineHere(source)
      requestedChars += text.length
      const worker = workers.find(canTake)
      if (worker !== undefined) return Effect.catchAll(worker.outline(source), () => outlineHere(source))
      // All queues are full, so the main thread outlines this text.
      if (workers.length > 0) return Effect.zipLeft(outlineHere(source), nextTurn)
      return requestedChars > MIN_CHARS_FOR_WORKERS && !isStarted
        ? Effect.zipRight(startWorkers, outlineHere(source))
        : outlineHere(source)
    })

  return Symbols.of({ outline })
})

const hasWork: ReadonlySet<Language.OutlineMethod | undefined> = new Set(["grammar", "patterns", "scripts"])

/** Outlines everything on the main thread if no worker can be started. */
export const layer: Layer.Layer<Symbols> = Layer.scoped(Symbols, make(undefined))

/**
 * Does the same with a module of the program's own as the entry of the workers; the module runs `OutlineServer.serve`.
 */
export const layerWith = (entry: URL): Layer.Layer<Symbols> => Layer.scoped(Symbols, make(entry))

/** Lets other ready fibers run first, interrupted ones among them. */
const yieldToOthers = Effect.yieldNow({ priority: 1 })

/** Lets the event loop deliver the responses of the workers. */
const nextTurn: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})
