/** A thread beside this one that outlines texts, one after the other. */
import * as path from "node:path"
import { Worker } from "node:worker_threads"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Outline } from "../../Symbols.ts"
import type { Source } from "./Walk.ts"
import type { Answer, Question } from "./Worker.ts"

/** There is no thread any more, and there never may have been one. */
export class Ended extends Data.TaggedError("Ended") {}

export interface Thread {
  /** Characters that it has been given and not answered for yet; infinite while it can take none. */
  readonly burden: () => number
  /** Fails where the thread ends without an answer. The thread ends when all that it was given is interrupted. */
  readonly outline: (source: Source) => Effect.Effect<Outline, Ended>
}

/**
 * Returns before it is ready, and ends it with the scope. Where there can be no thread, for lack of memory, of `entry` or
 * of permission, it is never ready. `entry` runs in it: a `Worker`.
 */
export const start = (entry: URL = beside): Effect.Effect<Thread, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try(() => new Worker(entry, { name: "vibe outlines", resourceLimits })),
    (worker) => Effect.promise(() => worker.terminate()),
  ).pipe(
    Effect.map(make),
    Effect.catchAll(() => Effect.succeed(none)),
  )

/** With the ending of this module: source or built, bundled or not. */
const beside = new URL(`./Worker${path.extname(import.meta.url)}`, import.meta.url)

const none: Thread = { burden: () => Number.POSITIVE_INFINITY, outline: () => new Ended() }

/** What an outline leaves behind is soon forgotten: with the 100 MB that V8 allows by itself it goes no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

interface Waiting {
  readonly source: Source
  readonly resume: (outline: Effect.Effect<Outline, Ended>) => void
}

/** What is sent together. */
interface Parcel {
  readonly waiting: Array<Waiting>
  /** In characters. */
  length: number
}

/** Characters that are enough for a parcel: to send one takes as long as to outline a small file. */
const ENOUGH = 50_000

/** With less than so many characters to do, a thread is sent at once whatever there is. */
const LITTLE = 100_000

const make = (worker: Worker): Thread => {
  let isReady = false
  let next: Parcel = { waiting: [], length: 0 }
  let sent: Array<Parcel> = []
  let underway = 0
  const wanted = new Set<Waiting>()

  const send = () => {
    const question: Question = next.waiting.map(({ source }) => source)
    sent.push(next)
    underway += next.length
    next = { waiting: [], length: 0 }
    worker.ref()
    worker.postMessage(question)
  }
  const sendIfIdle = () => {
    if (next.waiting.length > 0 && underway < LITTLE) send()
  }
  const settle = ({ length, waiting }: Parcel, outlines: ReadonlyArray<Outline>) => {
    underway -= length
    waiting.forEach((each, place) => {
      const outline = outlines[place]
      wanted.delete(each)
      each.resume(outline === undefined ? new Ended() : Effect.succeed(outline))
    })
  }
  const end = () => {
    const all = [...sent, { ...next, length: 0 }]
    isReady = false
    sent = []
    next = { waiting: [], length: 0 }
    for (const parcel of all) settle(parcel, [])
  }

  // A thread without work keeps no process alive.
  worker.unref()
  worker.on("message", (answer: Answer) => {
    const parcel = answer === "ready" ? undefined : sent.shift()
    if (answer === "ready") isReady = true
    else if (parcel !== undefined) settle(parcel, answer)
    sendIfIdle()
    if (sent.length === 0) worker.unref()
  })
  worker.on("error", end)
  worker.on("exit", end)

  return {
    burden: () => (isReady ? underway + next.length : Number.POSITIVE_INFINITY),
    outline: (source) =>
      Effect.async((resume) => {
        if (next.waiting.length === 0) queueMicrotask(sendIfIdle)
        const waiting = { source, resume }
        wanted.add(waiting)
        next.waiting.push(waiting)
        next.length += source.text.length
        if (next.length >= ENOUGH) send()
        return Effect.sync(() => {
          wanted.delete(waiting)
          // It would go on for as long as its texts take.
          if (wanted.size === 0) void worker.terminate()
        })
      }),
  }
}
