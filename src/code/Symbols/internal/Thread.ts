/** A thread beside this one that outlines texts, one after the other. */
import * as path from "node:path"
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Outline } from "../../Symbols.ts"
import type { Answer, Question } from "./Worker.ts"

export interface Thread {
  /** Characters that it has been given and not answered for yet; infinite while it can take none. */
  readonly burden: () => number
  /** None where the thread has ended without an answer. */
  readonly outline: (path: string, text: string) => Effect.Effect<Outline | undefined>
}

/** Returns before it is ready, ends it with the scope, and never fails: where there can be no thread, it is never ready. */
export const start: Effect.Effect<Thread, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => run(new Worker(entry, { name: "vibe outlines" }))),
    ({ end }) => end,
  ),
  ({ thread }) => thread,
)

/** Beside this module, and with its ending: source or built, bundled or not. */
const entry = new URL(`./Worker${path.extname(import.meta.url)}`, import.meta.url)

const run = (worker: Worker) => {
  const waiting = new Map<number, (outline: Outline | undefined) => void>()
  let number = 0
  let burden = Number.POSITIVE_INFINITY

  const settle = (question: number, outline: Outline | undefined) => {
    waiting.get(question)?.(outline)
    waiting.delete(question)
    if (waiting.size === 0) worker.unref()
  }
  const end = () => {
    burden = Number.POSITIVE_INFINITY
    for (const question of waiting.keys()) settle(question, undefined)
  }
  // A thread without work keeps no process alive.
  worker.unref()
  worker.on("message", ({ number, outline }: Answer) => {
    if (number === 0) burden = 0
    settle(number, outline)
  })
  worker.on("error", end)
  worker.on("exit", end)

  const thread: Thread = {
    burden: () => burden,
    outline: (path, text) =>
      Effect.async((resume) => {
        const question: Question = { number: ++number, path, text }
        burden += text.length
        waiting.set(question.number, (outline) => {
          burden -= text.length
          resume(Effect.succeed(outline))
        })
        worker.ref()
        worker.postMessage(question)
      }),
  }
  return { thread, end: Effect.promise(() => worker.terminate()) }
}
