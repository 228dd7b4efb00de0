/** Runs of a cluster in which batches, workers, models or the database fail. */
import { assert, describe } from "@effect/vitest"
import { Deferred, Effect, Fiber, Logger, Ref, Schedule } from "effect"
import * as BatchContent from "../../src/cluster/BatchContent.ts"
import * as RunStore from "../../src/cluster/RunStore.ts"
import type * as Worker from "../../src/cluster/Worker.ts"
import * as Usage from "../../src/message/Usage.ts"
import { Blocked, ModelError, ModelNotFound, Overloaded } from "../../src/model/ModelError.ts"
import * as Postgres from "../utils/Postgres.ts"
import {
  colourOf,
  colours,
  explain,
  failureOf,
  house,
  latest,
  leave,
  modelOf,
  postgresOfFile,
  start,
  thorough,
  work,
} from "./clusters.ts"

describe.skipIf(Postgres.programs === undefined)("a cluster with failures", () => {
  const { latestName, newDatabase, psql } = postgresOfFile()

  thorough("leaves out a batch that the provider refuses, and goes on", () =>
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
  )

  thorough("asks for a batch that the engine has lost", () =>
    Effect.gen(function* () {
      const store = yield* newDatabase
      const { asked, model } = yield* modelOf()
      yield* leave(store, model, { files: house(2) })
      // One was given to the engine, and is not there; the other's worker is gone.
      psql(
        `update vibe_batches set state = case number when 1 then 'sent' else 'running' end,
           sent_at = now() - interval '5 minutes', seen_at = now() - interval '5 minutes'`,
        latestName(),
      )
      yield* Effect.forkScoped(work(store, model))
      const report = yield* start(store, model, { files: house(2) })
      assert.strictEqual(report.coveredSymbols, 2)
      assert.strictEqual(asked.length, 2)
    }),
  )

  thorough("stores all that was answered in a run of many refusals, and asks for the refused alone again", () =>
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
  )

  thorough("leaves out a batch that ends its workers, and one that they cannot read", () =>
    Effect.gen(function* () {
      const store = yield* newDatabase
      const { asked, model } = yield* modelOf()
      const name = latestName()
      yield* leave(store, model, { files: house(3) })
      psql("update vibe_batches set attempts = 5 where number = 1", name)
      psql("update vibe_batches set content = 'not compressed' where number = 2", name)
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
  )

  thorough("goes on where one batch was refused since the provider was overloaded", () =>
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
  )

  thorough("ends a worker where a run of another version was opened while it was suspended", () =>
    Effect.gen(function* () {
      const store = yield* newDatabase
      const { asked, model } = yield* modelOf()
      const name = latestName()
      yield* leave(store, model, { version: "2.0.0" })
      psql("update vibe_runs set state = 'complete'", name)
      const ready = yield* Deferred.make<void>()
      const onEvent = (event: Worker.WorkerEvent) =>
        event._tag === "Ready" ? Deferred.succeed(ready, undefined) : Effect.void
      const worker = yield* Effect.fork(failureOf(work(store, model, { onEvent })))
      yield* Deferred.await(ready)
      psql("delete from vibe_workers; update vibe_runs set state = 'running'", name)
      assert.match(
        yield* Fiber.join(worker),
        /This is vibe 1\.0\.0, and the cluster is at work with vibe 2\.0\.0.*'vibe index --cancel/,
      )
      assert.deepStrictEqual(asked, [])
      assert.strictEqual(psql("select count(*) from vibe_workers", name), "0")
    }),
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
  )

  thorough("says why a run is stopped whose batches bring nothing", () =>
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
  )

  thorough("stops a run whose model does not exist, with the failure of the model for its starter", () =>
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
  )

  thorough("refuses a database that is too old, or was made by a later vibe", () =>
    Effect.gen(function* () {
      const store = yield* newDatabase
      const name = latestName()
      yield* Effect.provide(Effect.void, store)
      psql("update vibe_cluster set format = 2", name)
      assert.match(yield* failureOf(latest(store)), /was made by a later vibe; update this one/)
      // It stands for a server of that version.
      psql(
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
  )

  thorough("logs nothing of its engine, whose failures of the database a worker reports itself", () =>
    Effect.gen(function* () {
      const store = yield* newDatabase
      const { model } = yield* modelOf()
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(String(message)))
      const ready = yield* Deferred.make<void>()
      const waiting = yield* Deferred.make<string>()
      /** When the worker says for the third time why it waits, after some seconds, the engine has failed too. */
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
      psql(
        `alter table vibe_engine_runners rename to gone_runners; alter table vibe_engine_locks rename to gone_locks;
           alter table vibe_workers rename to gone_workers`,
        latestName(),
      )
      assert.match(yield* Deferred.await(waiting), /does not exist/)
      yield* Fiber.interrupt(worker)
      assert.deepStrictEqual(logged, [])
    }),
  )
})
