/** Runs of a cluster: how they are stored, who starts and joins them, what they ask for, and the limit of cost. */
import { assert, describe } from "@effect/vitest"
import { type Clock, Deferred, Effect, Either, Exit, Fiber, Schedule } from "effect"
import * as RunStore from "../../src/cluster/RunStore.ts"
import * as ModelId from "../../src/message/ModelId.ts"
import type * as LanguageModel from "../../src/model/LanguageModel.ts"
import { BudgetReached, ModelError, Unauthorized } from "../../src/model/ModelError.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { isThorough } from "../thoroughness.ts"
import * as Postgres from "../utils/Postgres.ts"
import {
  awaitEnd,
  colours,
  failureOf,
  house,
  latest,
  leave,
  live,
  modelOf,
  PRICE,
  postgresOfFile,
  start,
  thorough,
  work,
} from "./clusters.ts"
import { contract } from "./RunStore.contract.ts"

describe.skipIf(Postgres.programs === undefined)("a cluster", () => {
  const { latestName, newDatabase, psql } = postgresOfFile()

  contract(newDatabase)

  live("explains all with two workers, asks for each batch once, and knows what it has cost", () =>
    Effect.gen(function* () {
      const count = isThorough ? 12 : 4
      const store = yield* newDatabase
      const { asked, model } = yield* modelOf()
      yield* Effect.forkScoped(work(store, model, { id: "one" }))
      yield* Effect.forkScoped(work(store, model, { id: "other" }))
      const report = yield* start(store, model, { files: house(count) })
      assert.strictEqual(report.outcome, "complete")
      assert.strictEqual(report.coveredSymbols, count)
      assert.deepStrictEqual(asked.toSorted(), colours.slice(0, count))
      const run = yield* latest(store)
      assert.strictEqual(run.state, "complete")
      assert.approximately(run.spent, count * PRICE, 1e-9)
      assert.strictEqual(run.inputTokens, count * 400)
      assert.strictEqual(run.repeated, 0)
    }),
  )

  live("goes on without its starter, and the next one stores all without asking again", () =>
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
  )

  live("is one run for two starters", () =>
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
  )

  live("sends nothing beyond the limit of cost of the whole run", () =>
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
  )

  thorough("says that no worker is there, and ends where it is cancelled", () =>
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
  )

  live(
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
        psql(`alter database ${latestName()} set default_transaction_read_only = on`)
        assert.match(yield* failureOf(latest(store)), /The database of the cluster is read-only/)
      }),
  )

  live("ends a worker whose key is refused, and another takes its batch", () =>
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
  )

  thorough("begins another run once one was cancelled", () =>
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
  )

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
  )

  thorough("asks for no map where a starter is refused, or joins: then it takes the map of the run", () =>
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
  )

  thorough("stores what is answered so far, and asks for nothing, where a starter with the limit 0 finds a run", () =>
    Effect.gen(function* () {
      const store = yield* newDatabase
      const { asked, model } = yield* modelOf()
      yield* leave(store, model)
      const worker = yield* Effect.fork(work(store, model))
      yield* awaitEnd(store)
      yield* Fiber.interrupt(worker)
      psql(
        `update vibe_batches set state = 'waiting', answer = null where number = 1;
           update vibe_runs set state = 'running'`,
        latestName(),
      )
      const report = yield* start(store, model, { maxCost: 0 })
      assert.deepStrictEqual([report.outcome, report.coveredSymbols, asked.length], ["budget", 5, 6])
    }),
  )

  thorough("refuses a starter whose model is another than that of the open run", () =>
    Effect.gen(function* () {
      const store = yield* newDatabase
      const { model } = yield* modelOf()
      yield* leave(store, model)
      const other: LanguageModel.Service = { ...model, id: Either.getOrThrow(ModelId.parse("scripted/other")) }
      const exit = yield* Effect.exit(start(store, other))
      assert.match(String(exit), /explains with scripted\/test, and this command with scripted\/other/)
    }),
  )
})
