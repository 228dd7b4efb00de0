/** Starters and workers of a cluster around a real Postgres, with models of the test's own. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Clock, Deferred, Effect, Either, Exit, Fiber, Layer, Logger, Redacted, Ref, Schedule } from "effect"
import * as BatchContent from "../../src/cluster/BatchContent.ts"
import * as ClusterExplorer from "../../src/cluster/ClusterExplorer.ts"
import * as Database from "../../src/cluster/Database.ts"
import * as PostgresRunStore from "../../src/cluster/RunStore/Postgres.ts"
import * as RunStore from "../../src/cluster/RunStore.ts"
import * as Worker from "../../src/cluster/Worker.ts"
import type { IndexEvent } from "../../src/explore/IndexEvent.ts"
import * as IndexingOrchestrator from "../../src/explore/IndexingOrchestrator.ts"
import * as IndexObserver from "../../src/explore/IndexObserver.ts"
import * as Message from "../../src/message/Message.ts"
import * as ModelId from "../../src/message/ModelId.ts"
import * as Usage from "../../src/message/Usage.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import {
  Blocked,
  BudgetReached,
  ModelError,
  ModelNotFound,
  Overloaded,
  Unauthorized,
} from "../../src/model/ModelError.ts"
import * as ModelRegistry from "../../src/model/ModelRegistry.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { isThorough } from "../thoroughness.ts"
import * as Indexing from "../utils/Indexing.ts"
import * as Postgres from "../utils/Postgres.ts"

/** Milliseconds: workers begin within some seconds, on a busy machine within many. */
const LONG = 180_000

const colours = [
  "amber",
  "beige",
  "coral",
  "denim",
  "ebony",
  "green",
  "hazel",
  "ivory",
  "khaki",
  "lilac",
  "mauve",
  "ochre",
]

/** So many functions without comments, each in a file of its own. */
const house = (count: number, change = ""): Record<string, string> =>
  Object.fromEntries(
    colours
      .slice(0, count)
      .map((colour, at) => [
        `/repo/src/${colour}.ts`,
        `export function paint${colour}(walls: number): number {\n  const coats = walls * ${at + 2}${at === 0 ? change : ""}\n  return coats\n}\n`,
      ]),
  )

const lastText = (request: Request) =>
  Message.text(request.messages.findLast(({ role }) => role === "user") ?? Message.user(""))

const isBatch = (request: Request) => lastText(request).includes("What follows is source of this project")

const colourOf = (request: Request) => /function paint(\w+)/.exec(lastText(request))?.[1] ?? ""

const explain = (request: Request): Scripted.Line => ({
  ...Scripted.calls([
    "create_index_entry",
    {
      entries: [
        {
          purposes: [
            `1: Lets guests in the ${colourOf(request)} room sleep without noise. Which room is ${colourOf(request)}?`,
          ],
        },
      ],
    },
  ]),
  // No more than what vibe expects of such a request, and the limit of output.
  usage: { ...Usage.none, inputTokens: 400, outputTokens: 60 },
})

/** In US dollars, of one answer. */
const PRICE = (400 * 1 + 60 * 10) / 1_000_000

/** A model that is said to write no more than the purpose of one symbol. `asked`: the colours of its batches. `maps`: its maps. */
const modelOf = Effect.fnUntraced(function* (answer: (request: Request) => Scripted.Line = explain) {
  const asked: Array<string> = []
  const maps: Array<string> = []
  const model = yield* Scripted.make((request) => {
    if (!isBatch(request)) {
      maps.push(lastText(request))
      return "A house of rooms in many colours."
    }
    asked.push(colourOf(request))
    return answer(request)
  })
  const priced: LanguageModel.Service = {
    ...model,
    concurrency: undefined,
    limits: { context: 100_000, output: 60 },
    price: { input: 1, output: 10 },
  }
  return { asked, maps, model: priced }
})

/** Each of these takes seconds, so `npm test` leaves them out. */
const thorough = it.scopedLive.skipIf(!isThorough)

describe.skipIf(Postgres.programs === undefined)("a cluster", () => {
  let postgres: Postgres.Postgres
  let databases = 0
  beforeAll(async () => {
    postgres = await Postgres.start()
  }, LONG)
  afterAll(() => postgres?.end(), LONG)

  /** The runs of a new database. */
  const newDatabase = Effect.suspend(() => {
    const name = `test${++databases}`
    postgres.psql(`create database ${name}`)
    const url = Redacted.make(postgres.url.replace(/postgres$/, name))
    return Effect.succeed(PostgresRunStore.layer.pipe(Layer.provideMerge(Database.layer({ url, name: "test" }))))
  })
  type Store = Effect.Effect.Success<typeof newDatabase>

  const registryOf = (model: LanguageModel.Service) =>
    Layer.succeed(ModelRegistry.ModelRegistry, {
      providers: ["scripted"],
      open: () => Effect.succeed(model),
      known: Effect.succeed([]),
    })

  const work = (
    store: Store,
    model: LanguageModel.Service,
    { id = "a-worker", onEvent = () => Effect.void, version = "1.0.0" }: Partial<Worker.Options> = {},
  ) =>
    Worker.serve({ id, version, parallel: 2, onEvent }).pipe(
      Effect.provide(Layer.provideMerge(registryOf(model), store)),
    )

  interface Starting {
    readonly files?: Record<string, string>
    readonly maxCost?: number
    readonly version?: string
    readonly onEvent?: (event: IndexEvent) => Effect.Effect<void>
  }

  /** What `vibe index --cluster` does, over files in memory. */
  const start = (store: Store, model: LanguageModel.Service, starting: Starting = {}) => {
    const { files = house(6), maxCost, onEvent = () => Effect.void, version = "1.0.0" } = starting
    const observer = Layer.succeed(IndexObserver.IndexObserver, { watch: () => Effect.succeed(onEvent) })
    const explorer = ClusterExplorer.layer({ repository: "house", commit: "c0ffee", version, maxCost })
    return IndexingOrchestrator.runGuidedExploration("/repo", false, { all: true }).pipe(
      Effect.provide(
        Layer.provideMerge(
          Indexing.layer(files, Layer.succeed(LanguageModel.LanguageModel, model), observer),
          Layer.provide(explorer, store),
        ),
      ),
    )
  }

  const latest = (store: Store) =>
    Effect.flatMap(RunStore.RunStore, (runs) => runs.latest("house")).pipe(
      Effect.provide(store),
      Effect.map((run) => run ?? assert.fail("there is no run")),
    )

  /** Starts a run, and leaves it once it is planned. */
  const leave = Effect.fnUntraced(function* (store: Store, model: LanguageModel.Service, starting: Starting = {}) {
    const distributed = yield* Deferred.make<void>()
    const fiber = yield* Effect.fork(
      start(store, model, {
        ...starting,
        onEvent: (event) => (event._tag === "Distributed" ? Deferred.succeed(distributed, undefined) : Effect.void),
      }),
    )
    yield* Deferred.await(distributed)
    yield* Fiber.interrupt(fiber)
  })

  it.scopedLive(
    "explains all with two workers, asks for each batch once, and knows what it has cost",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { asked, model } = yield* modelOf()
        yield* Effect.forkScoped(work(store, model, { id: "one" }))
        yield* Effect.forkScoped(work(store, model, { id: "other" }))
        const report = yield* start(store, model, { files: house(12) })
        assert.strictEqual(report.outcome, "complete")
        assert.strictEqual(report.coveredSymbols, 12)
        assert.deepStrictEqual(asked.toSorted(), colours)
        const run = yield* latest(store)
        assert.strictEqual(run.state, "complete")
        assert.approximately(run.spent, 12 * PRICE, 1e-9)
        assert.strictEqual(run.inputTokens, 12 * 400)
        assert.strictEqual(run.repeated, 0)
      }),
    LONG,
  )

  it.scopedLive(
    "goes on without its starter, and the next one stores all without asking again",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { asked, model } = yield* modelOf()
        yield* leave(store, model)
        const worker = yield* Effect.fork(work(store, model))
        yield* Effect.repeat(latest(store), {
          until: ({ state }) => state === "complete",
          schedule: Schedule.spaced("200 millis"),
        })
        yield* Fiber.interrupt(worker)
        assert.strictEqual(asked.length, 6)
        // No worker is there any more. A file has changed since: of it alone something is to be asked.
        const poor = yield* Scripted.make(
          () => new ModelError({ model: "scripted/test", reason: new BudgetReached({ message: "the budget is 0" }) }),
        )
        const starter = { ...poor, concurrency: undefined, limits: model.limits, price: model.price }
        const report = yield* start(store, starter, { files: house(6, " + 1"), maxCost: 0 })
        assert.strictEqual(report.outcome, "budget")
        assert.strictEqual(report.coveredSymbols, 5)
        assert.strictEqual(asked.length, 6)
      }),
    LONG,
  )

  it.scopedLive(
    "is one run for two starters",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { asked, model } = yield* modelOf()
        const other = yield* Effect.fork(start(store, model))
        yield* Effect.forkScoped(work(store, model))
        const reports = [yield* start(store, model), yield* Fiber.join(other)]
        assert.deepStrictEqual(
          reports.map(({ coveredSymbols }) => coveredSymbols),
          [6, 6],
        )
        assert.strictEqual(asked.length, 6)
      }),
    LONG,
  )

  it.scopedLive(
    "sends nothing beyond the limit of cost of the whole run",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { asked, model } = yield* modelOf()
        yield* Effect.forkScoped(work(store, model, { id: "one" }))
        yield* Effect.forkScoped(work(store, model, { id: "other" }))
        const report = yield* start(store, model, { maxCost: 0.006 })
        assert.strictEqual(report.outcome, "budget")
        const run = yield* latest(store)
        assert.strictEqual(run.state, "budget")
        assert.isAtMost(run.spent, 0.006)
        assert.isAbove(asked.length, 0)
        assert.isBelow(asked.length, 6)
        assert.approximately(run.spent, asked.length * PRICE, 1e-9)
        assert.strictEqual(report.coveredSymbols, asked.length)
      }),
    LONG,
  )

  thorough(
    "leaves out a batch that the provider refuses, and goes on",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { model } = yield* modelOf((request) =>
          colourOf(request) === "coral"
            ? new ModelError({ model: "scripted/test", reason: new Blocked({ message: "it is blocked" }) })
            : explain(request),
        )
        const reasons = yield* Ref.make<ReadonlyArray<string>>([])
        yield* Effect.forkScoped(work(store, model))
        const report = yield* start(store, model, {
          onEvent: (event) =>
            event._tag === "BatchEnded" && event.reason !== undefined
              ? Ref.update(reasons, (before) => [...before, `${event.area}: ${event.reason}`])
              : Effect.void,
        })
        assert.strictEqual(report.coveredSymbols, 5)
        assert.deepStrictEqual(yield* Ref.get(reasons), ["src/coral.ts: scripted/test: it is blocked"])
        assert.strictEqual((yield* latest(store)).batches.refused, 1)
      }),
    LONG,
  )

  thorough(
    "says that no worker is there, and ends where it is cancelled",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { asked, model } = yield* modelOf()
        const stalled = yield* Deferred.make<string>()
        const starter = yield* Effect.fork(
          start(store, model, {
            onEvent: (event) => (event._tag === "Stalled" ? Deferred.succeed(stalled, event.advice) : Effect.void),
          }),
        )
        assert.match(yield* Deferred.await(stalled), /No worker is there: start one with 'vibe worker'/)
        const run = yield* latest(store)
        yield* Effect.provide(
          Effect.flatMap(RunStore.RunStore, (runs) => runs.cancel(run.id)),
          store,
        )
        const exit = yield* Fiber.await(starter)
        assert.match(String(exit), /The run was cancelled/)
        assert.deepStrictEqual(asked, [])
      }),
    LONG,
  )

  it.scopedLive(
    "refuses a worker and a starter of another version, a clock that is wrong, and a database that is read-only",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { model } = yield* modelOf()
        yield* leave(store, model)
        const other = /This is vibe 2\.0\.0, and the cluster is at work with vibe 1\.0\.0/
        assert.match(yield* failureOf(work(store, model, { version: "2.0.0" })), other)
        assert.match(yield* failureOf(start(store, model, { version: "2.0.0" })), other)

        const clock = yield* Effect.clock
        const late: Clock.Clock = Object.assign(Object.create(clock), {
          currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + 300_000),
        })
        assert.match(
          yield* failureOf(Effect.withClock(latest(store), late)),
          /The clock of this machine is 300 s ahead of the database's/,
        )
        postgres.psql(`alter database test${databases} set default_transaction_read_only = on`)
        assert.match(yield* failureOf(latest(store)), /The database of the cluster is read-only/)
      }),
    LONG,
  )

  it.scopedLive(
    "ends a worker whose key is refused, and another takes its batch",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { model } = yield* modelOf()
        const refused = yield* modelOf(
          () => new ModelError({ model: "scripted/test", reason: new Unauthorized({ message: "the key is refused" }) }),
        )
        yield* leave(store, model, { files: house(1) })
        const exit = yield* Effect.exit(work(store, refused.model, { id: "without-key" }))
        assert.isTrue(Exit.isFailure(exit))
        assert.match(String(exit), /the key is refused/)
        yield* Effect.forkScoped(work(store, model, { id: "with-key" }))
        const report = yield* start(store, model, { files: house(1) })
        assert.strictEqual(report.coveredSymbols, 1)
      }),
    LONG,
  )

  thorough(
    "asks for a batch that the engine has lost",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { asked, model } = yield* modelOf()
        yield* leave(store, model, { files: house(2) })
        // One was given to the engine, and is not there; the other's worker is gone.
        postgres.psql(
          `update vibe_batches set state = case number when 1 then 'sent' else 'running' end,
           sent_at = now() - interval '5 minutes', seen_at = now() - interval '5 minutes'`,
          `test${databases}`,
        )
        yield* Effect.forkScoped(work(store, model))
        const report = yield* start(store, model, { files: house(2) })
        assert.strictEqual(report.coveredSymbols, 2)
        assert.strictEqual(asked.length, 2)
      }),
    LONG,
  )

  thorough(
    "begins another run once one was cancelled",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { model } = yield* modelOf()
        yield* leave(store, model, { files: house(2) })
        const cancelled = yield* latest(store)
        yield* Effect.provide(
          Effect.flatMap(RunStore.RunStore, (runs) => runs.cancel(cancelled.id)),
          store,
        )
        yield* Effect.forkScoped(work(store, model))
        const report = yield* start(store, model, { files: house(2) })
        assert.strictEqual(report.outcome, "complete")
        assert.strictEqual(report.coveredSymbols, 2)
        assert.notStrictEqual((yield* latest(store)).id, cancelled.id)
      }),
    LONG,
  )

  thorough(
    "stores all that was answered in a run of many refusals, and asks for the refused alone again",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const refused = new Set(colours.slice(0, 5))
        const { asked, model } = yield* modelOf((request) =>
          refused.has(colourOf(request))
            ? new ModelError({ model: "scripted/test", reason: new Blocked({ message: "it is blocked" }) })
            : explain(request),
        )
        yield* leave(store, model, { files: house(8) })
        const worker = yield* Effect.fork(work(store, model))
        yield* Effect.repeat(latest(store), {
          until: ({ state }) => state === "complete",
          schedule: Schedule.spaced("200 millis"),
        })
        yield* Fiber.interrupt(worker)
        assert.deepStrictEqual(asked.toSorted(), colours.slice(0, 8))
        const planned = yield* Deferred.make<number>()
        const starter = yield* Effect.fork(
          start(store, model, {
            files: house(8),
            onEvent: (event) =>
              event._tag === "Distributed" && event.state === "running"
                ? Deferred.succeed(planned, event.batches)
                : Effect.void,
          }),
        )
        assert.strictEqual(yield* Deferred.await(planned), 5)
        yield* Fiber.interrupt(starter)
      }),
    LONG,
  )

  thorough(
    "leaves out a batch that ends its workers, and one that they cannot read",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { asked, model } = yield* modelOf()
        const name = `test${databases}`
        yield* leave(store, model, { files: house(3) })
        postgres.psql("update vibe_batches set attempts = 5 where number = 1", name)
        postgres.psql("update vibe_batches set content = 'not compressed' where number = 2", name)
        const reasons = yield* Ref.make<ReadonlyArray<string | undefined>>([])
        const onEvent = (event: Worker.WorkerEvent) =>
          event._tag === "Answered" ? Ref.update(reasons, (before) => [...before, event.reason]) : Effect.void
        const worker = yield* Effect.fork(work(store, model, { onEvent }))
        yield* Effect.repeat(latest(store), {
          until: ({ state }) => state === "complete",
          schedule: Schedule.spaced("200 millis"),
        })
        yield* Fiber.interrupt(worker)
        const run = yield* latest(store)
        assert.deepStrictEqual([run.batches.answered, run.batches.refused, run.lost, asked.length], [1, 2, 0, 1])
        const said = (yield* Ref.get(reasons)).join("\n")
        assert.match(said, /5 workers were lost while they asked for it/)
        assert.match(said, /the worker cannot ask for it/)
      }),
    LONG,
  )

  const failureOf = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.flip(effect), ({ message }) => message)

  const awaitEnd = (store: Store) =>
    Effect.repeat(latest(store), {
      until: ({ state }) => state === "complete",
      schedule: Schedule.spaced("200 millis"),
    })

  thorough(
    "keeps to the limit of cost where a worker has no price for the model, and where another model answers",
    () =>
      Effect.gen(function* () {
        for (const isOther of [false, true]) {
          const store = yield* newDatabase
          const { asked, model } = yield* modelOf()
          const worker: LanguageModel.Service = {
            ...model,
            price: undefined,
            generate: (request, observer) =>
              Effect.map(model.generate(request, observer), (reply) =>
                isOther ? { ...reply, model: Either.getOrThrow(ModelId.parse("scripted/other")) } : reply,
              ),
          }
          const fiber = yield* Effect.fork(work(store, worker))
          const report = yield* start(store, model, { maxCost: 0.006 })
          yield* Fiber.interrupt(fiber)
          assert.strictEqual(report.outcome, "budget")
          const { spent } = yield* latest(store)
          assert.isAbove(asked.length, 0)
          assert.isBelow(asked.length, 6)
          assert.isAtMost(spent, 0.006)
          if (isOther) assert.isAbove(spent, asked.length * PRICE)
          else assert.approximately(spent, asked.length * PRICE, 1e-9)
        }
      }),
    LONG,
  )

  thorough(
    "goes on where one batch was refused since the provider was overloaded",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { model } = yield* modelOf()
        yield* leave(store, model, { files: house(3) })
        const error = new ModelError({ model: "scripted/test", reason: new Overloaded({ message: "too much work" }) })
        const answer = yield* BatchContent.pack(BatchContent.Answer, { _tag: "Refused", error })
        const { id } = yield* latest(store)
        yield* Effect.provide(
          Effect.flatMap(RunStore.RunStore, (runs) =>
            runs.end({ run: id, number: 1 }, "a-worker", { state: "refused", answer, usage: Usage.none, cost: 0 }),
          ),
          store,
        )
        const reasons = yield* Ref.make<ReadonlyArray<string>>([])
        yield* Effect.forkScoped(work(store, model))
        const report = yield* start(store, model, {
          files: house(3),
          onEvent: (event) =>
            event._tag === "BatchEnded" && event.reason !== undefined
              ? Ref.update(reasons, (before) => [...before, event.reason ?? ""])
              : Effect.void,
        })
        assert.deepStrictEqual([report.outcome, report.coveredSymbols], ["partial", 2])
        assert.deepStrictEqual(yield* Ref.get(reasons), ["scripted/test: too much work"])
      }),
    LONG,
  )

  thorough(
    "ends a worker where a run of another version was opened while it was suspended",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { asked, model } = yield* modelOf()
        const name = `test${databases}`
        yield* leave(store, model, { version: "2.0.0" })
        postgres.psql("update vibe_runs set state = 'complete'", name)
        const ready = yield* Deferred.make<void>()
        const onEvent = (event: Worker.WorkerEvent) =>
          event._tag === "Ready" ? Deferred.succeed(ready, undefined) : Effect.void
        const worker = yield* Effect.fork(failureOf(work(store, model, { onEvent })))
        yield* Deferred.await(ready)
        postgres.psql("delete from vibe_workers; update vibe_runs set state = 'running'", name)
        assert.match(
          yield* Fiber.join(worker),
          /This is vibe 1\.0\.0, and the cluster is at work with vibe 2\.0\.0.*'vibe index --cancel/,
        )
        assert.deepStrictEqual(asked, [])
        assert.strictEqual(postgres.psql("select count(*) from vibe_workers", name), "0")
      }),
    LONG,
  )

  thorough(
    "asks once more for a batch that has brought nothing, once for two starters, although the message is the same",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const isAgain = { value: false }
        const { asked, model } = yield* modelOf((request) => {
          if (colourOf(request) !== "coral" || isAgain.value) return explain(request)
          isAgain.value = true
          return "I do not know."
        })
        const other = yield* Effect.fork(start(store, model))
        yield* Effect.forkScoped(work(store, model))
        const reports = [yield* start(store, model), yield* Fiber.join(other)]
        assert.deepStrictEqual(
          reports.map(({ coveredSymbols }) => coveredSymbols),
          [6, 6],
        )
        assert.strictEqual(asked.filter((colour) => colour === "coral").length, 2)
        assert.strictEqual(asked.length, 7)
      }),
    LONG,
  )

  thorough(
    "asks for no map where a starter is refused, or joins: then it takes the map of the run",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { maps, model } = yield* modelOf()
        yield* leave(store, model, { maxCost: 1 })
        assert.strictEqual(maps.length, 1)
        assert.match(
          yield* failureOf(start(store, model, { maxCost: 2 })),
          /may cost \$1\.00, and --max-cost of this command is \$2\.00; give the same limit or none, wait/,
        )
        const other: LanguageModel.Service = { ...model, id: Either.getOrThrow(ModelId.parse("scripted/other")) }
        assert.match(yield* failureOf(start(store, other)), /give the same models/)
        assert.match(yield* failureOf(start(store, model, { version: "2.0.0" })), /This is vibe 2/)
        yield* Effect.forkScoped(work(store, model))
        const report = yield* start(store, model)
        assert.deepStrictEqual([report.outcome, report.coveredSymbols], ["complete", 6])
        assert.include(report.map ?? "", "A house of rooms")
        assert.strictEqual(maps.length, 1)
        assert.approximately((yield* latest(store)).spent, 6 * PRICE, 1e-9)
      }),
    LONG,
  )

  thorough(
    "stores what is answered so far, and asks for nothing, where a starter with the limit 0 finds a run",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { asked, model } = yield* modelOf()
        yield* leave(store, model)
        const worker = yield* Effect.fork(work(store, model))
        yield* awaitEnd(store)
        yield* Fiber.interrupt(worker)
        postgres.psql(
          `update vibe_batches set state = 'waiting', answer = null where number = 1;
           update vibe_runs set state = 'running'`,
          `test${databases}`,
        )
        const report = yield* start(store, model, { maxCost: 0 })
        assert.deepStrictEqual([report.outcome, report.coveredSymbols, asked.length], ["budget", 5, 6])
      }),
    LONG,
  )

  thorough(
    "says why a run is stopped whose batches bring nothing",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { model } = yield* modelOf(() => "I do not know.")
        const advice = yield* Ref.make("")
        yield* Effect.forkScoped(work(store, model))
        const report = yield* start(store, model, {
          files: house(12),
          onEvent: (event) => (event._tag === "Stalled" ? Ref.set(advice, event.advice) : Effect.void),
        })
        assert.deepStrictEqual([report.outcome, report.coveredSymbols], ["complete", 0])
        assert.strictEqual(yield* Ref.get(advice), "The run was stopped: 20 batches in a row were not explained")
      }),
    LONG,
  )

  thorough(
    "stops a run whose model does not exist, with the failure of the model for its starter",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const reason = new ModelNotFound({ message: "it does not exist" })
        const { asked, model } = yield* modelOf(() => new ModelError({ model: "scripted/test", reason }))
        yield* Effect.forkScoped(work(store, model))
        const error = yield* Effect.flip(start(store, model))
        assert.strictEqual(error._tag, "ModelError")
        assert.strictEqual(error.message, "scripted/test: it does not exist")
        const run = yield* latest(store)
        assert.deepStrictEqual([run.state, run.reason], ["stopped", "scripted/test: it does not exist"])
        assert.isAtMost(asked.length, 2)
      }),
    LONG,
  )

  thorough(
    "refuses a database that is too old, or was made by a later vibe",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const name = `test${databases}`
        yield* Effect.provide(Effect.void, store)
        postgres.psql("update vibe_cluster set format = 2", name)
        assert.match(yield* failureOf(latest(store)), /was made by a later vibe; update this one/)
        // In place of a server of that version.
        postgres.psql(
          `create function public.current_setting(name text) returns text language sql as
           $$ select case name when 'server_version_num' then '120022' else pg_catalog.current_setting(name) end $$;
           alter database ${name} set search_path = public, pg_catalog`,
          name,
        )
        assert.match(
          yield* failureOf(latest(store)),
          /The database of the cluster is Postgres 12; Postgres 13 or later is needed/,
        )
      }),
    LONG,
  )

  thorough(
    "logs nothing of its engine, whose failures of the database a worker reports itself",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { model } = yield* modelOf()
        const logged: Array<string> = []
        const logger = Logger.make(({ message }) => void logged.push(String(message)))
        const ready = yield* Deferred.make<void>()
        const waiting = yield* Deferred.make<string>()
        /** By the third, some seconds after the first, the engine has failed, too. */
        const reasons: Array<string> = []
        const onEvent = (event: Worker.WorkerEvent) =>
          event._tag === "Ready"
            ? Deferred.succeed(ready, undefined)
            : event._tag === "Waiting"
              ? reasons.push(event.reason) < 3
                ? Effect.void
                : Deferred.succeed(waiting, event.reason)
              : Effect.void
        const worker = yield* Effect.fork(
          Effect.provide(work(store, model, { onEvent }), Logger.replace(Logger.defaultLogger, logger)),
        )
        yield* Deferred.await(ready)
        postgres.psql(
          `alter table vibe_engine_runners rename to gone_runners; alter table vibe_engine_locks rename to gone_locks;
           alter table vibe_workers rename to gone_workers`,
          `test${databases}`,
        )
        assert.match(yield* Deferred.await(waiting), /does not exist/)
        yield* Fiber.interrupt(worker)
        assert.deepStrictEqual(logged, [])
      }),
    LONG,
  )

  thorough(
    "refuses a starter whose model is another than that of the open run",
    () =>
      Effect.gen(function* () {
        const store = yield* newDatabase
        const { model } = yield* modelOf()
        yield* leave(store, model)
        const other: LanguageModel.Service = { ...model, id: Either.getOrThrow(ModelId.parse("scripted/other")) }
        const exit = yield* Effect.exit(start(store, other))
        assert.match(String(exit), /explains with scripted\/test, and this command with scripted\/other/)
      }),
    LONG,
  )
})
