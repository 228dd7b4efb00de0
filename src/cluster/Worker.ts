/** A worker: takes batches of runs from the shared database, asks models, and stores their answers there. */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Workflow from "@effect/workflow/Workflow"
import type { ConfigError } from "effect/ConfigError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { endWith, inParallel } from "../base/concurrency.ts"
import type { ExplorerError } from "../explore/ExplorerError.ts"
import type { ModelError } from "../model/ModelError.ts"
import * as Engine from "./Engine.ts"
import * as Asker from "./internal/asker.ts"
import * as RunStore from "./RunStore.ts"

export type { Options, WorkerEvent } from "./internal/asker.ts"

/**
 * The workflow of one batch. Each batch has a workflow, since a workflow runs on one worker, and so batches spread.
 * There is no workflow around those of a run: it would read its journal again with every batch that ends.
 * `RunStore.send` gives batches to the engine instead. The run was made for a commit, a version and its prompts, and a
 * number stands for a digest of what the model reads.
 */
const Batch = Workflow.make({
  name: "vibe/Batch",
  payload: { run: Schema.String, number: Schema.Int },
  idempotencyKey: ({ number, run }) => `${run}/${number}`,
})

/** Serves until it is interrupted. Fails if other versions are at work, or if this worker has no key for a model. */
export const serve = Effect.fn("Worker.serve")(function* (options: Asker.Options) {
  const store = yield* RunStore.RunStore
  const { id, onEvent, version } = options
  const others = yield* store.otherVersions(version)
  if (others.length > 0) return yield* Asker.otherVersion(version, others)
  yield* store.report(options, [])
  const failed = yield* Deferred.make<never, ConfigError | ExplorerError | ModelError>()

  /** Repeats until the database is there again, so that a worker survives its restart. */
  const persist = <A>(effect: Effect.Effect<A, ExplorerError>): Effect.Effect<A> =>
    effect.pipe(
      Effect.tapError(({ message }) => onEvent({ _tag: "Waiting", reason: message })),
      Effect.retry(Schedule.spaced("5 seconds")),
      Effect.orDie,
    )
  const asker = yield* Asker.make(options, persist, (error) => Deferred.fail(failed, error))
  // The engine logs each failure of the database, once a second and with its stack; `Waiting` says the same.
  const level = yield* FiberRef.get(FiberRef.currentMinimumLogLevel)
  const batches = Batch.toLayer((key) => Logger.withMinimumLogLevel(asker.answer(key), level))

  /** Gives batches to the engine. */
  const send = Effect.gen(function* () {
    yield* onEvent({ _tag: "Ready" })
    for (;;) {
      const keys = yield* persist(store.send(version))
      // A batch that the engine already has is not begun twice. If this fails, the batch is lost, and later asked
      // without the engine.
      yield* Effect.forEach(keys, (key) => Effect.ignore(Effect.sandbox(Batch.execute(key, { discard: true }))), {
        discard: true,
      })
      yield* persist(store.complete)
      yield* Effect.sleep("1 second")
    }
  })
  const engine = Effect.provide(
    send,
    Layer.provideMerge(batches, Engine.layer(id)).pipe(Layer.provide(Logger.minimumLogLevel(LogLevel.None))),
  )
  /**
   * Takes batches whose messages an engine has lost, which has happened while connections broke. A wrong guess does no
   * harm, since a batch with an answer is never asked again.
   */
  const recover = Effect.gen(function* () {
    const free = options.parallel - (yield* asker.active).length
    if (free <= 0) return
    for (const batch of yield* persist(store.takeLost(options, free))) {
      yield* onEvent({ _tag: "Recovered", batch })
      yield* Effect.forkScoped(asker.recover(batch))
    }
  })
  /**
   * Reports this worker, and ends it if a run of another version is open. That may have happened while the worker was
   * suspended and counted as gone. Other workers are not checked here: if there were two versions, none would remain.
   */
  const report = Effect.gen(function* () {
    const runs = (yield* persist(store.otherVersions(version))).filter(({ run }) => run !== null)
    if (runs.length > 0) return yield* Deferred.fail(failed, Asker.otherVersion(version, runs))
    yield* persist(store.report(options, yield* asker.active))
  })

  const runs: ReadonlyArray<Effect.Effect<void, never, Scope.Scope | SqlClient>> = [
    Effect.forever(Effect.zipRight(report, Effect.sleep("5 seconds"))),
    Effect.forever(Effect.zipRight(recover, Effect.sleep("15 seconds"))),
    engine,
  ]
  return yield* inParallel(runs).pipe(
    endWith(Deferred.await(failed)),
    Effect.ensuring(Effect.ignore(store.removeWorker(id))),
  )
}, Effect.scoped)
