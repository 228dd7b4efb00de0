/** Outlines on the main thread and, as soon as there is much to outline, on worker threads. */
import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
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
 * Workers are terminated after this many looks, a second apart, at which no request had come. One look is not enough:
 * the main thread may write for seconds without a request, and a new worker has to compile its grammars again. With one
 * look after two seconds, 10,000 files of Java were outlined by fifteen workers in turn on a busy machine.
 */
const IDLE_LOOKS = 10

const make = Effect.fnUntraced(function* (entry: URL | undefined) {
  const local = yield* Scanner.make
  const scope = yield* Effect.scope
  let requestedChars = 0
  /** The number of texts that are being outlined. */
  let underWay = 0
  let running: Fiber.Fiber<void> | undefined
  let workers: ReadonlyArray<OutlineWorker.OutlineWorker> = []

  /** Keeps workers for as long as there are requests. */
  const runWorkers = Effect.gen(function* () {
    workers = yield* Effect.replicateEffect(
      OutlineWorker.start(entry),
      Math.min(availableParallelism() - 1, MAX_WORKERS),
    )
    let known = requestedChars
    for (let looks = 0; looks < IDLE_LOOKS; looks++) {
      yield* Effect.sleep("1 second")
      if (known !== requestedChars) looks = -1
      known = requestedChars
    }
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        requestedChars = 0
        running = undefined
        workers = []
      }),
    ),
    Effect.scoped,
  )
  const startWorkers = Effect.map(Effect.forkIn(runWorkers, scope), (fiber) => {
    running = fiber
  })

  /** Ends the workers, also those that are still starting. */
  const release = Effect.suspend(() =>
    running !== undefined && underWay === 0 ? Fiber.interruptFork(running) : Effect.void,
  )

  const outlineHere = (source: Source) => Effect.zipRight(yieldToOthers, local.outline(source.path, source.text))

  const outlineSomewhere = (path: string, text: string) =>
    Effect.suspend(() => {
      const source = { path, text }
      if (!hasWork.has(Language.of(path, text)?.outline)) return outlineHere(source)
      requestedChars += text.length
      return requestedChars > MIN_CHARS_FOR_WORKERS && running === undefined
        ? Effect.zipRight(startWorkers, outlineInTurn(source))
        : outlineInTurn(source)
    })

  /**
   * Gives a text to a worker. If none is ready or all queues are full, this thread outlines it once it has nothing else
   * to do, unless a worker takes it by then.
   */
  const outlineInTurn = (source: Source) =>
    Effect.suspend(() => {
      const here = Effect.zipLeft(local.outline(source.path, source.text), nextTurn)
      return outlineByWorker(source) ?? Effect.flatMap(yieldToOthers, () => outlineByWorker(source) ?? here)
    })

  const outlineByWorker = (source: Source) => {
    const worker = workers.find(({ queuedChars }) => queuedChars() < WORKER_QUEUE_CHARS)
    return worker && Effect.catchAll(worker.outline(source), () => outlineHere(source))
  }

  const outline = (path: string, text: string) =>
    Effect.suspend(() => {
      underWay += 1
      return Effect.ensuring(
        outlineSomewhere(path, text),
        Effect.sync(() => {
          underWay -= 1
        }),
      )
    })

  return Symbols.of({ outline, release })
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
