/** Outlines on the main thread and, as soon as there is much to outline, on worker threads. */
import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Language from "../Language.ts"
import { type Outline, Symbols } from "../Symbols.ts"
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
 * A worker has requests of so many characters at most, about half a second of work, so that it does not wait while the
 * main thread writes to the index. The others wait on the main thread, which outlines some when it has nothing else to
 * do, so that it never waits for a worker with much to do.
 */
const WORKER_QUEUE_CHARS = 1_000_000

/** If there are more workers, storing the outlines takes longer than making them. */
const MAX_WORKERS = 3

/**
 * Workers are terminated after this many looks, a second apart, at which no request had come. One look is not enough:
 * the main thread may write for seconds without a request, and a new worker has to compile its grammars again. With one
 * look after two seconds, 10,000 files of Java were outlined by fifteen workers in turn on a busy machine.
 */
const IDLE_LOOKS = 10

/** A text to be outlined. */
interface Waiting {
  readonly source: Source
  readonly resume: (outlined: Effect.Effect<Outline>) => void
  /** Takes it out of the queue in which it is. */
  cancel: () => void
}

/** The priority of what runs when no fiber is ready, nor any that has let others run first. */
const IDLE = 2

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

  /** Texts that no thread has taken yet, the first one first. */
  const waiting = new Set<Waiting>()
  let isHelping = false

  /** Gives the first texts that wait to workers with room. */
  const feed = () => {
    for (const text of waiting) {
      const [worker] = workers.toSorted((one, other) => one.queuedChars() - other.queuedChars())
      if (worker === undefined || worker.queuedChars() >= WORKER_QUEUE_CHARS) return
      waiting.delete(text)
      text.cancel = worker.request(text.source, (outlined) => {
        text.resume(Effect.catchAll(outlined, () => outlineHere(text.source)))
        feed()
      })
    }
  }

  /** Lets this thread outline the texts that no worker takes, one at a time, when it has nothing else to do. */
  const help: Effect.Effect<void> = Effect.suspend(() => {
    feed()
    const [first] = waiting
    isHelping = first !== undefined
    if (first === undefined) return Effect.void
    waiting.delete(first)
    first.resume(local.outline(first.source.path, first.source.text))
    return helpWhenIdle
  })
  const helpWhenIdle = nextTurn.pipe(Effect.zipRight(Effect.yieldNow({ priority: IDLE })), Effect.zipRight(help))

  const outlineInTurn = (source: Source) => {
    const outlined = Effect.async<Outline>((resume) => {
      const text: Waiting = { source, resume, cancel: () => waiting.delete(text) }
      waiting.add(text)
      feed()
      return Effect.sync(() => text.cancel())
    })
    return Effect.suspend(() => {
      if (isHelping) return outlined
      isHelping = true
      return Effect.zipRight(Effect.forkIn(helpWhenIdle, scope), outlined)
    })
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
