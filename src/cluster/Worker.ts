/** A worker: takes batches of runs from the shared database, asks models, and stores their answers there. */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Activity from "@effect/workflow/Activity"
import * as Workflow from "@effect/workflow/Workflow"
import type { ConfigError } from "effect/ConfigError"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { ExplorerError } from "../indexing/ExplorerError.ts"
import * as Block from "../message/Block.ts"
import { endWith } from "../message/endWith.ts"
import { inParallel } from "../message/inParallel.ts"
import * as ModelId from "../message/ModelId.ts"
import * as Cost from "../model/Cost.ts"
import type * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError, Reason } from "../model/ModelError.ts"
import * as ModelRegistry from "../model/ModelRegistry.ts"
import type { Reply } from "../model/Reply.ts"
import type { Request } from "../model/Request.ts"
import * as Tool from "../tool/Tool.ts"
import * as BatchContent from "./BatchContent.ts"
import * as Engine from "./Engine.ts"
import * as RunStore from "./RunStore.ts"

export interface Options {
  /** Unique among all workers. */
  readonly id: string
  /** Workers, starters and open runs have one version, since they share messages to models and tables. */
  readonly version: string
  /** Requests at the same time; fewer for a minute after the provider has limited the rate. */
  readonly parallel: number
  readonly onEvent: (event: WorkerEvent) => Effect.Effect<void>
}

export type WorkerEvent =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Asked"; readonly batch: RunStore.BatchKey; readonly model: string }
  | {
      readonly _tag: "Answered"
      readonly batch: RunStore.BatchKey
      readonly cost: number | undefined
      /** Why the model did not answer; none where it did. */
      readonly reason: string | undefined
    }
  /** The database is not there; the worker goes on as soon as it is. */
  | { readonly _tag: "Waiting"; readonly reason: string }
  /** The engine has lost a batch: it is asked without it. */
  | { readonly _tag: "Recovered"; readonly batch: RunStore.BatchKey }

/**
 * One batch. A workflow of its own, since a workflow runs on one worker: so batches spread. There is no workflow around those of
 * a run, which would read its journal again with every batch that ends: `RunStore.send` gives batches to the engine instead.
 * The run was made for a commit, a version and its prompts, and a number stands for a digest of what the model reads.
 */
const Batch = Workflow.make({
  name: "vibe/Batch",
  payload: { run: Schema.String, number: Schema.Int },
  idempotencyKey: ({ number, run }) => `${run}/${number}`,
})

/** Serves until it is interrupted. Fails where other versions are at work, or where this worker has no key for a model. */
export const serve = Effect.fn("Worker.serve")(function* (options: Options) {
  const store = yield* RunStore.RunStore
  const { id, onEvent, version } = options
  const others = yield* store.otherVersions(version)
  if (others.length > 0) return yield* otherVersion(version, others)
  yield* store.report(options, [])
  const failed = yield* Deferred.make<never, ConfigError | ExplorerError | ModelError>()

  /** Repeats until the database is there again: a worker survives its restart. */
  const persist = <A>(effect: Effect.Effect<A, ExplorerError>): Effect.Effect<A> =>
    effect.pipe(
      Effect.tapError(({ message }) => onEvent({ _tag: "Waiting", reason: message })),
      Effect.retry(Schedule.spaced("5 seconds")),
      Effect.orDie,
    )
  const asker = yield* makeAsker(options, persist, (error) => Deferred.fail(failed, error))
  const batches = Batch.toLayer(asker.answer)

  /** Gives batches to the engine. */
  const send = Effect.gen(function* () {
    yield* onEvent({ _tag: "Ready" })
    for (;;) {
      const keys = yield* persist(store.send)
      // A batch that is with the engine already is not begun twice. What fails here is lost, and asked without the engine.
      yield* Effect.forEach(keys, (key) => Effect.ignore(Effect.sandbox(Batch.execute(key, { discard: true }))), {
        discard: true,
      })
      yield* persist(store.complete)
      yield* Effect.sleep("1 second")
    }
  })
  const engine = Effect.provide(send, Layer.provideMerge(batches, Engine.layer(id)))
  /** Engines have lost messages while connections broke: what has an answer is never asked again, so this may be wrong. */
  const recover = Effect.gen(function* () {
    for (const batch of yield* persist(store.takeLost)) {
      yield* onEvent({ _tag: "Recovered", batch })
      yield* Effect.forkScoped(asker.recover(batch))
    }
  })
  const report = Effect.flatMap(asker.active, (active) => persist(store.report(options, active)))

  const runs: ReadonlyArray<Effect.Effect<void, never, Scope.Scope | SqlClient>> = [
    Effect.forever(Effect.zipRight(report, Effect.sleep("5 seconds"))),
    Effect.forever(Effect.zipRight(recover, Effect.sleep("15 seconds"))),
    engine,
  ]
  return yield* inParallel(runs).pipe(endWith(Deferred.await(failed)), Effect.ensuring(Effect.ignore(store.leave(id))))
}, Effect.scoped)

export const otherVersion = (version: string, others: ReadonlyArray<string>): ExplorerError =>
  new ExplorerError({
    reason: "refused",
    message: `This is vibe ${version}, and the cluster is at work with vibe ${others.join(", ")}; install that version, or wait until its runs and workers have ended`,
  })

/** Asks the models. */
const makeAsker = Effect.fnUntraced(function* (
  { id, onEvent, parallel }: Options,
  persist: <A>(effect: Effect.Effect<A, ExplorerError>) => Effect.Effect<A>,
  fail: (error: ConfigError | ModelError) => Effect.Effect<unknown>,
) {
  const store = yield* RunStore.RunStore
  const registry = yield* ModelRegistry.ModelRegistry
  const permits = yield* Effect.makeSemaphore(parallel)
  const active = yield* Ref.make<ReadonlySet<RunStore.BatchKey>>(new Set())
  const held = yield* Ref.make(0)
  const scope = yield* Effect.scope

  /** A model that cannot be opened here, for want of a key say, ends this worker: others may have one. */
  const open = yield* Effect.cachedFunction((model: string) =>
    Either.match(ModelId.parse(model), {
      onLeft: (message) => Effect.dieMessage(message),
      onRight: (id) => registry.open(id),
    }),
  )
  const sentOf = yield* Effect.cachedFunction((run: string) =>
    Effect.map(persist(store.requestOf(run)), Schema.decodeUnknownSync(BatchContent.Sent)),
  )

  /** Sends one request fewer for a minute, but never none. */
  const slowDown = Effect.gen(function* () {
    const isLast = yield* Ref.modify(
      held,
      (count) => [count >= parallel - 1, Math.min(count + 1, parallel - 1)] as const,
    )
    if (isLast) return
    yield* Effect.forkIn(
      Effect.zipRight(
        permits.withPermits(1)(Effect.sleep("1 minute")),
        Ref.update(held, (count) => count - 1),
      ),
      scope,
    )
  })

  /** After the retries of the model itself: an hour of a provider that is overloaded does not refuse a batch. */
  const ask = (model: LanguageModel.Service, request: Request) =>
    model
      .generate(request, {
        retry: ({ error }) => (error.reason._tag === "RateLimited" ? slowDown : Effect.void),
      })
      .pipe(
        Effect.retry({
          while: ({ isRetryable, reason }) => isRetryable && reason._tag !== "StreamIncomplete",
          schedule: Schedule.exponential("15 seconds").pipe(
            Schedule.union(Schedule.spaced("5 minutes")),
            Schedule.upTo("1 hour"),
            Schedule.jittered,
          ),
        }),
      )

  const record = Effect.fnUntraced(function* (
    batch: RunStore.BatchKey,
    model: LanguageModel.Service,
    result: Either.Either<Reply, ModelError>,
  ) {
    const [answer, usage, cost] = Either.match(result, {
      onLeft: (error) => [{ _tag: "Refused", error } as const, error.usage, Cost.of(error.usage, model.price)] as const,
      onRight: (reply) => {
        const cost = Cost.ofReply(model, reply)
        const priced = cost === undefined ? reply : { ...reply, cost }
        return [{ _tag: "Replied", reply: priced } as const, reply.usage, cost] as const
      },
    })
    const packed = yield* BatchContent.pack(BatchContent.Answer, answer)
    const state = answer._tag === "Replied" ? "answered" : "refused"
    yield* persist(store.end(batch, { state, answer: packed, usage, cost: cost ?? 0 }))
    const reason = answer._tag === "Replied" ? undefined : answer.error.message
    yield* onEvent({ _tag: "Answered", batch, cost, reason })
  })

  const run = Effect.fnUntraced(function* (batch: RunStore.BatchKey) {
    const begun = yield* persist(store.begin(batch, id))
    if (begun._tag === "Skip") return
    const opened = yield* Effect.either(open(begun.model))
    if (Either.isLeft(opened)) return yield* leave(opened.left)
    const model = opened.right
    const { message } = yield* BatchContent.unpack(BatchContent.BatchContent, begun.content)
    const { tools, ...sent } = yield* sentOf(batch.run)
    yield* onEvent({ _tag: "Asked", batch, model: begun.model })
    const result = yield* Effect.either(
      ask(model, {
        ...sent,
        messages: [{ role: "user", content: [Block.text(message)] }],
        tools: tools.map((tool) => Tool.fromJsonSchema({ ...tool, run: () => Tool.fail("not run by a worker") })),
      }),
    )
    if (Either.isLeft(result) && ofWorker.has(result.left.reason._tag)) return yield* leave(result.left)
    if (Either.isLeft(result) && ofRun.has(result.left.reason._tag)) {
      yield* persist(store.stop(batch.run, result.left.message))
    }
    yield* record(batch, model, result)
  })

  /** The batch stays with the engine, and another worker begins it once this one is gone. */
  const leave = (error: ConfigError | ModelError) => Effect.zipRight(fail(error), Effect.interruptible(Effect.never))

  const whileActive = <A, E, R>(batch: RunStore.BatchKey, effect: Effect.Effect<A, E, R>) =>
    Effect.ensuring(
      Effect.zipRight(
        Ref.update(active, (before) => new Set([...before, batch])),
        effect,
      ),
      Ref.update(active, (before) => new Set([...before].filter((other) => other !== batch))),
    )

  return {
    /** The permit is of the workflow, which may be interrupted while it waits: an activity may not. */
    answer: (batch: RunStore.BatchKey) =>
      permits.withPermits(1)(Activity.make({ name: "ask", execute: whileActive(batch, run(batch)) })),
    recover: (batch: RunStore.BatchKey) => whileActive(batch, permits.withPermits(1)(run(batch))),
    /** The batches that are under way here. */
    active: Effect.map(Ref.get(active), (batches) => [...batches]),
  }
})

type Tag = Reason["_tag"]

/** What another worker may do better: its key is another. */
const ofWorker: ReadonlySet<Tag> = new Set(["Unauthorized"])

/** What every batch would repeat. */
const ofRun: ReadonlySet<Tag> = new Set([
  "QuotaExhausted",
  "Unsupported",
  "Misconfigured",
  "ModelNotFound",
  "ProgramFailed",
])
