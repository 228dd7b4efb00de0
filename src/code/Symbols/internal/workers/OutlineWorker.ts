/** The main thread's handle of a worker thread that outlines texts. */
import * as path from "node:path"
import { Worker } from "node:worker_threads"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Outline } from "../../../Symbols.ts"
import type { Source } from "../outline/Walk.ts"

/** Messages to the worker: the texts of one batch. */
export type OutlineRequest = ReadonlyArray<Source>

/**
 * Messages from the worker: `"ready"` once, then the outlines of each batch, in the order in which batches were sent.
 */
export type OutlineResponse = "ready" | ReadonlyArray<Outline>

/** The thread has ended, or could not be started. */
export class WorkerEnded extends Data.TaggedError("WorkerEnded") {}

export interface OutlineWorker {
  /** Returns the characters of requests without a response; infinite while the worker cannot take requests. */
  readonly queuedChars: () => number
  /**
   * Asks for the outline of a text, with which it calls `resume`, or with a failure if the thread ends without a
   * response. Returns what cancels the request. To cancel all pending requests terminates the thread, since a parse
   * cannot be interrupted.
   */
  readonly request: (source: Source, resume: (outlined: Effect.Effect<Outline, WorkerEnded>) => void) => () => void
}

/**
 * Starts a thread that runs the module at `entry`, which runs `OutlineServer.serve`. Returns before the thread is
 * ready, and terminates it when the scope closes. If no thread can be started (no memory, no permission, no such
 * module), the worker never becomes ready.
 */
export const start = (entry: URL = defaultEntry): Effect.Effect<OutlineWorker, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try(() => make(new Worker(entry, { name: "vibe outlines", resourceLimits }))),
    ({ terminate }) => Effect.promise(terminate),
  ).pipe(Effect.catchAll(() => Effect.succeed(unavailable)))

/** The entry has the extension of this module: `.ts` in a checkout, `.js` in the package. */
const defaultEntry = new URL(`./entry${path.extname(import.meta.url)}`, import.meta.url)

const unavailable: OutlineWorker = {
  queuedChars: () => Number.POSITIVE_INFINITY,
  request: (_, resume) => {
    resume(new WorkerEnded())
    return () => {}
  },
}

/** Nearly everything that an outline allocates soon becomes garbage: V8's default of 100 MB makes it no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

interface PendingOutline {
  readonly source: Source
  readonly resume: (outlined: Effect.Effect<Outline, WorkerEnded>) => void
}

/** Requests that are sent in one message. */
interface Batch {
  readonly pending: Array<PendingOutline>
  /** The length of the texts, in characters. */
  length: number
}

/** A batch of this many characters is sent at once: sending a message takes as long as outlining a small file. */
const MAX_BATCH_CHARS = 50_000

/** A worker with fewer characters in flight is sent its next batch however small that is. */
const LOW_IN_FLIGHT_CHARS = 100_000

interface RunningWorker extends OutlineWorker {
  readonly terminate: () => Promise<unknown>
}

const make = (worker: Worker): RunningWorker => {
  let isReady = false
  let isTerminating = false
  let next: Batch = { pending: [], length: 0 }
  let sent: Array<Batch> = []
  let inFlightChars = 0
  const unanswered = new Set<PendingOutline>()

  const send = () => {
    const request: OutlineRequest = next.pending.map(({ source }) => source)
    sent.push(next)
    inFlightChars += next.length
    next = { pending: [], length: 0 }
    worker.ref()
    worker.postMessage(request)
  }
  const sendIfIdle = () => {
    if (next.pending.length > 0 && inFlightChars < LOW_IN_FLIGHT_CHARS) send()
  }
  const settle = ({ length, pending }: Batch, outlines: ReadonlyArray<Outline>) => {
    inFlightChars -= length
    pending.forEach((each, index) => {
      const outline = outlines[index]
      unanswered.delete(each)
      each.resume(outline === undefined ? new WorkerEnded() : Effect.succeed(outline))
    })
  }
  const end = () => {
    const all = [...sent, { ...next, length: 0 }]
    isReady = false
    sent = []
    next = { pending: [], length: 0 }
    for (const batch of all) settle(batch, [])
  }

  /** Node keeps the process alive until a terminated thread has ended; a late message must not undo that. */
  const terminate = () => {
    isTerminating = true
    return worker.terminate()
  }

  // An idle worker does not keep the process alive.
  worker.unref()
  worker.on("message", (response: OutlineResponse) => {
    const batch = response === "ready" ? undefined : sent.shift()
    if (response === "ready") isReady = true
    else if (batch !== undefined) settle(batch, response)
    sendIfIdle()
    if (sent.length === 0 && !isTerminating) worker.unref()
  })
  worker.on("error", end)
  worker.on("exit", end)

  return {
    queuedChars: () => (isReady ? inFlightChars + next.length : Number.POSITIVE_INFINITY),
    request: (source, resume) => {
      if (next.pending.length === 0) queueMicrotask(sendIfIdle)
      const pending = { source, resume }
      unanswered.add(pending)
      next.pending.push(pending)
      next.length += source.text.length
      if (next.length >= MAX_BATCH_CHARS) send()
      return () => {
        unanswered.delete(pending)
        // Otherwise the thread would run until all of its texts are outlined.
        if (unanswered.size === 0) void terminate()
      }
    },
    terminate,
  }
}
