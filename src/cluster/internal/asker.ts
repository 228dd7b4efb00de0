/** Asks models for the batches of a worker, and stores their answers. */
import * as Activity from "@effect/workflow/Activity"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { cachedByKey, makeLimit } from "../../base/mutex.ts"
import { ExplorerError } from "../../explore/ExplorerError.ts"
import * as Block from "../../message/Block.ts"
import * as ModelId from "../../message/ModelId.ts"
import * as Usage from "../../message/Usage.ts"
import * as Cost from "../../model/Cost.ts"
import type * as LanguageModel from "../../model/LanguageModel.ts"
import { InvalidRequest, ModelError, type Reason } from "../../model/ModelError.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import type { Reply } from "../../model/Reply.ts"
import type { Request } from "../../model/Request.ts"
import * as Tool from "../../tool/Tool.ts"
import * as BatchContent from "../BatchContent.ts"
import * as RunStore from "../RunStore.ts"

export interface Options {
  /** The id, which is unique among all workers. */
  readonly id: string
  /** The version, which workers, starters and open runs share, since they share messages to models and tables. */
  readonly version: string
  /** The number of requests at the same time. They are fewer for a minute after the provider has limited the rate. */
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
      /** The reason why the model did not answer; undefined if it did. */
      readonly reason: string | undefined
    }
  /** The database is not there; the worker goes on as soon as it is. */
  | { readonly _tag: "Waiting"; readonly reason: string }
  /** The engine has lost a batch, which is now asked without it. */
  | { readonly _tag: "Recovered"; readonly batch: RunStore.BatchKey }

/** Makes the asker of one worker. `persist`: repeats until the database is there again. `fail`: ends the worker. */
export const make = Effect.fnUntraced(function* (
  { id, onEvent, parallel, version }: Options,
  persist: <A>(effect: Effect.Effect<A, ExplorerError>) => Effect.Effect<A>,
  fail: (error: ConfigError | ExplorerError | ModelError) => Effect.Effect<unknown>,
) {
  const store = yield* RunStore.RunStore
  const registry = yield* ModelRegistry.ModelRegistry
  const limited = makeLimit(parallel)
  const active = yield* Ref.make<ReadonlySet<RunStore.BatchKey>>(new Set())
  /** The number by which requests are reduced, and how many permits are still to be kept back for that. */
  const fewer = yield* Ref.make({ count: 0, due: 0 })
  /** The batches that were begun here, since the engine and `recover` may both have a batch. */
  const begun = new Set<string>()

  /** Opens a model. If it cannot be opened here, for want of a key say, this worker ends, since others may have one. */
  const open = cachedByKey((model: string) =>
    Either.match(ModelId.parse(model), {
      onLeft: (message) => Effect.dieMessage(message),
      onRight: (id) => registry.open(id),
    }),
  )
  const sentOf = cachedByKey((run: string) =>
    Effect.flatMap(persist(store.requestOf(run)), (sent) =>
      Effect.orDie(Schema.decodeUnknown(BatchContent.Sent)(sent)),
    ),
  )

  /** Sends one request fewer for a minute, but never none. */
  const slowDown = Ref.update(fewer, ({ count, due }) =>
    count >= parallel - 1 ? { count, due } : { count: count + 1, due: due + 1 },
  )
  /** Keeps a permit back if one is due. It does so before a batch is sent, and not after all that wait for a permit. */
  const pace = Effect.gen(function* () {
    const isDue = yield* Ref.modify(fewer, ({ count, due }) => [due > 0, { count, due: Math.max(0, due - 1) }] as const)
    if (!isDue) return
    // An interrupt gives the permit back too, or else the other batches would be fewer for ever.
    yield* Effect.ensuring(
      Effect.sleep("1 minute"),
      Ref.update(fewer, ({ count, due }) => ({ count: count - 1, due })),
    )
  })

  /**
   * Asks a model, and repeats after the model's own retries, so that an hour with an overloaded provider does not
   * refuse a batch. Also returns the usage of all failed attempts.
   */
  const ask = Effect.fnUntraced(function* (batch: RunStore.BatchKey, model: LanguageModel.Service, request: Request) {
    const before = yield* Ref.make(Usage.none)
    const asked = model.generate(request, {
      retry: ({ error }) =>
        Effect.gen(function* () {
          if (error.reason._tag === "RateLimited") yield* slowDown
          if (error.usage.outputTokens > 0) yield* persist(store.reserve(batch))
        }),
    })
    const once = asked.pipe(
      Effect.tapError(({ usage }) => Ref.update(before, (before) => Usage.add(before, usage))),
      Effect.retry({
        while: ({ isRetryable, reason }) => isRetryable && reason._tag !== "StreamIncomplete",
        schedule: Schedule.exponential("15 seconds").pipe(
          Schedule.union(Schedule.spaced("5 minutes")),
          Schedule.upTo("1 hour"),
          Schedule.jittered,
        ),
      }),
    )
    const result = yield* Effect.either(once)
    return { result, before: yield* Ref.get(before) }
  })

  /**
   * Stores the result. `before`: the usage of attempts without a reply; it includes that of the error if there is no
   * reply.
   */
  const record = Effect.fnUntraced(function* (
    batch: RunStore.BatchKey,
    result: Either.Either<Reply, ModelError>,
    before: Usage.Usage = Usage.none,
    model?: LanguageModel.Service,
  ) {
    const spent = before.inputTokens + before.outputTokens === 0 ? 0 : Cost.of(before, model?.price)
    const [answer, usage, cost] = Either.match(result, {
      onLeft: (error) => [{ _tag: "Refused", error } as const, before, spent] as const,
      onRight: (reply) => {
        const cost = model && Cost.ofReply(model, reply)
        const priced = cost === undefined ? reply : { ...reply, cost }
        const all = cost === undefined || spent === undefined ? undefined : cost + spent
        return [{ _tag: "Replied", reply: priced } as const, Usage.add(before, reply.usage), all] as const
      },
    })
    const packed = yield* BatchContent.pack(BatchContent.Answer, answer)
    const state = answer._tag === "Replied" ? "answered" : "refused"
    const reason = answer._tag === "Replied" ? undefined : answer.error.message
    const stop = answer._tag === "Refused" && ofRun.has(answer.error.reason._tag) ? reason : undefined
    yield* persist(store.end(batch, id, { state, answer: packed, usage, cost, stop }))
    yield* onEvent({ _tag: "Answered", batch, cost, reason })
  })

  /**
   * Begins a batch. While it waits for what others have reserved, it may be interrupted, which an activity otherwise
   * may not.
   */
  const begin = (batch: RunStore.BatchKey): Effect.Effect<Exclude<RunStore.Begun, { readonly _tag: "Wait" }>> =>
    Effect.flatMap(persist(store.begin(batch, { id, version })), (begun) =>
      begun._tag === "Wait"
        ? Effect.zipRight(Effect.interruptible(Effect.sleep("3 seconds")), begin(batch))
        : Effect.succeed(begun),
    )

  const send = Effect.fnUntraced(function* (
    batch: RunStore.BatchKey,
    { attempts, content, maxOutput, model: name }: Extract<RunStore.Begun, { readonly _tag: "Ask" }>,
  ) {
    if (attempts > MAX_ATTEMPTS) {
      const message = `${MAX_ATTEMPTS} workers were lost while they asked for it`
      return yield* record(batch, Either.left(new ModelError({ model: name, reason: new InvalidRequest({ message }) })))
    }
    const opened = yield* Effect.either(open(name))
    if (Either.isLeft(opened)) return yield* giveUp(batch, opened.left)
    const { message } = yield* BatchContent.unpack(BatchContent.BatchContent, content)
    const { map, prices, tools, ...sent } = yield* sentOf(batch.run)
    const model = { ...opened.right, price: prices[name] ?? opened.right.price }
    yield* onEvent({ _tag: "Asked", batch, model: name })
    const { before, result } = yield* ask(batch, model, {
      ...sent,
      messages: [{ role: "user", content: [Block.text(message)] }],
      tools: tools.map((tool) => Tool.fromJsonSchema({ ...tool, run: () => Tool.fail("not run by a worker") })),
      ...(maxOutput !== undefined && { maxOutputTokens: maxOutput }),
    })
    if (Either.isLeft(result) && ofWorker.has(result.left.reason._tag)) return yield* giveUp(batch, result.left)
    yield* record(batch, result, before, model)
  })

  const run = Effect.fnUntraced(function* (batch: RunStore.BatchKey) {
    const name = `${batch.run}/${batch.number}`
    if (begun.has(name)) return
    begun.add(name)
    const asking = Effect.gen(function* () {
      const started = yield* begin(batch)
      if (started._tag === "Skip") return
      if (started._tag === "OtherVersion") {
        return yield* end(otherVersion(version, [{ version: started.version, run: batch.run }]))
      }
      // A defect would only end this attempt, unseen, and the batch would be asked for again and again.
      yield* Effect.catchAllDefect(send(batch, started), (defect) => {
        const message = `the worker cannot ask for it: ${defect instanceof Error ? defect.message : String(defect)}`
        const reason = new InvalidRequest({ message })
        return record(batch, Either.left(new ModelError({ model: started.model, reason })))
      })
    })
    yield* Effect.ensuring(
      asking,
      Effect.sync(() => begun.delete(name)),
    )
  })

  /** Ends this worker; the caller does not continue. */
  const end = (error: ConfigError | ExplorerError | ModelError) =>
    Effect.zipRight(fail(error), Effect.interruptible(Effect.never))

  /** Gives the batch back and ends this worker. Another worker then begins the batch. */
  const giveUp = (batch: RunStore.BatchKey, error: ConfigError | ModelError) =>
    Effect.zipRight(persist(store.giveBack(batch, id)), end(error))

  const whileActive = <A, E, R>(batch: RunStore.BatchKey, effect: Effect.Effect<A, E, R>) =>
    Effect.ensuring(
      Effect.zipRight(
        Ref.update(active, (before) => new Set([...before, batch])),
        effect,
      ),
      Ref.update(active, (before) => new Set([...before].filter((other) => other !== batch))),
    )

  return {
    /**
     * Answers a batch. The workflow holds the permit, since it may be interrupted while it waits, but an activity may
     * not. A batch that waits is with this worker, and not lost.
     */
    answer: (batch: RunStore.BatchKey) =>
      whileActive(batch, limited(Effect.zipRight(pace, Activity.make({ name: "ask", execute: run(batch) })))),
    recover: (batch: RunStore.BatchKey) => whileActive(batch, limited(Effect.zipRight(pace, run(batch)))),
    /** The batches that this worker has: under way, or waiting for a permit. */
    active: Effect.map(Ref.get(active), (batches) => [...batches]),
  }
})

/** The most attempts. A batch that was begun more often was not lost by chance: it may be what ends its workers. */
const MAX_ATTEMPTS = 5

type Tag = Reason["_tag"]

/** Failures that another worker may not have, since its key is different. */
const ofWorker: ReadonlySet<Tag> = new Set(["Unauthorized"])

/** Failures that every batch would repeat, and that therefore stop the run. */
export const ofRun: ReadonlySet<Tag> = new Set([
  "QuotaExhausted",
  "Unsupported",
  "Misconfigured",
  "ModelNotFound",
  "ProgramFailed",
])

export const otherVersion = (version: string, others: ReadonlyArray<RunStore.OtherVersion>): ExplorerError => {
  const versions = new Set(others.map(({ version }) => version))
  const runs = others.flatMap(({ run }) => run ?? [])
  const end = runs.length === 0 ? "" : ` ('vibe index --cancel ${runs[0]}' ends one)`
  return new ExplorerError({
    reason: "refused",
    message: `This is vibe ${version}, and the cluster is at work with vibe ${[...versions].join(", ")}; install that version, or wait until its runs and workers have ended${end}`,
  })
}
