/** The threads that a test starts. */
import type { Worker } from "node:worker_threads"
import { Effect } from "effect"

/** Collects the threads that are started from here on, as long as the scope is open. */
export const startedWorkers = Effect.gen(function* () {
  const started: Array<Worker> = []
  const onWorker = (worker: Worker) => started.push(worker)
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("worker", onWorker)),
    () => Effect.sync(() => process.off("worker", onWorker)),
  )
  return started
})

/** Waits until a thread has ended. */
export const ended = (worker: Worker) =>
  Effect.async<void>((resume) => {
    // A thread that has ended has this number.
    if (worker.threadId === -1) resume(Effect.void)
    else worker.on("exit", () => resume(Effect.void))
  })
