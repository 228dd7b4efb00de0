/** What a `Thread` runs: it says that it is ready, and outlines what it is given, one text after the other. */
import { parentPort } from "node:worker_threads"
import * as Effect from "effect/Effect"
import type { Outline } from "../../Symbols.ts"
import * as Scanner from "../Scanner.ts"
import type { Source } from "./Walk.ts"

export type Question = ReadonlyArray<Source>

/** In the order of the question. Questions are answered in the order in which they came. */
export type Answer = "ready" | ReadonlyArray<Outline>

const say = (answer: Answer) => Effect.sync(() => parentPort?.postMessage(answer))

const listen = Effect.gen(function* () {
  const symbols = yield* Scanner.make
  const oneByOne = (yield* Effect.makeSemaphore(1)).withPermits(1)
  parentPort?.on("message", (question: Question) => {
    const outlines = Effect.forEach(question, ({ path, text }) => symbols.outline(path, text))
    // What goes wrong here is a mistake of ours. It ends the thread, so that nobody waits for an answer.
    void Effect.runPromise(oneByOne(Effect.flatMap(outlines, say)))
  })
  yield* say("ready")
})

void Effect.runPromise(listen)
