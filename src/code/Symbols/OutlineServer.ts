/** The worker's side of `Workers`: outlines the texts that the main thread sends, in order, and hashes the symbols. */
import { parentPort } from "node:worker_threads"
import * as Effect from "effect/Effect"
import { makeMutex } from "../../base/mutex.ts"
import * as SymbolHashes from "../SymbolHashes.ts"
import type { OutlineRequest, OutlineResponse } from "./internal/workers/OutlineWorker.ts"
import * as Scanner from "./Scanner.ts"

const send = (response: OutlineResponse) => Effect.sync(() => parentPort?.postMessage(response))

/** Runs in the entry of a worker thread. Sends `"ready"`, then a response for each request. Uses the `ParseRunner`. */
export const serve: Effect.Effect<void> = Effect.gen(function* () {
  const symbols = yield* Scanner.make
  const exclusively = makeMutex()
  parentPort?.on("message", (request: OutlineRequest) => {
    const outlines = Effect.forEach(request, ({ path, text }) =>
      Effect.map(symbols.outline(path, text), (outline) => ({
        ...outline,
        hashes: SymbolHashes.ofAll(path, text, outline.symbols),
      })),
    )
    // Outlining never fails; a defect is unhandled here and ends the thread, so that pending requests fail.
    void Effect.runPromise(exclusively(Effect.flatMap(outlines, send)))
  })
  yield* send("ready")
})
