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
  /** Fails where the thread ends without an answer. */
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

const make = (worker: Worker): Thread => {
  let isReady = false
  let burden = 0
  let unsent: Array<Waiting> = []
  let sent: Array<ReadonlyArray<Waiting>> = []

  /** What is asked in one go is sent in one go: to send takes as long as to outline a small file. */
  const send = () => {
    const question: Question = unsent.map(({ source }) => source)
    sent.push(unsent)
    unsent = []
    worker.ref()
    worker.postMessage(question)
  }
  const settle = (waiting: ReadonlyArray<Waiting>, outlines: ReadonlyArray<Outline>) => {
    waiting.forEach(({ resume, source }, place) => {
      const outline = outlines[place]
      burden -= source.text.length
      resume(outline === undefined ? new Ended() : Effect.succeed(outline))
    })
  }
  const end = () => {
    const waiting = [...sent.flat(), ...unsent]
    isReady = false
    sent = []
    unsent = []
    settle(waiting, [])
  }

  // A thread without work keeps no process alive.
  worker.unref()
  worker.on("message", (answer: Answer) => {
    if (answer === "ready") isReady = true
    else settle(sent.shift() ?? [], answer)
    if (sent.length === 0) worker.unref()
  })
  worker.on("error", end)
  worker.on("exit", end)

  return {
    burden: () => (isReady ? burden : Number.POSITIVE_INFINITY),
    outline: (source) =>
      Effect.async((resume) => {
        burden += source.text.length
        if (unsent.length === 0) queueMicrotask(send)
        unsent.push({ source, resume })
      }),
  }
}
