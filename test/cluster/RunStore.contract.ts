/** Tests a `RunStore` in a Postgres that other tests use as well: to start one takes longer than all of this. */
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as RunStore from "../../src/cluster/RunStore.ts"
import * as Usage from "../../src/message/Usage.ts"
import type { Store } from "./clusters.ts"

/** Milliseconds, on a busy machine. */
const LONG = 60_000

/** The expected cost of a batch, in US dollars. */
const ESTIMATE = 0.25

const batchOf = (digest: string): RunStore.NewBatch => ({
  digest,
  model: "scripted/test",
  planned: true,
  symbols: 1,
  tokens: 10,
  content: Buffer.from(digest),
  maxOutput: 100,
  estimate: ESTIMATE,
})

const workerOf = (id: string, version = "1.0.0"): RunStore.WorkerKey => ({ id, version })

const answered = (text: string, cost: number | undefined): RunStore.NewAnswer => ({
  state: "answered",
  answer: Buffer.from(text),
  cost,
  usage: { ...Usage.none, inputTokens: 10 },
})

export const contract = (newDatabase: Effect.Effect<Store>) =>
  describe("its runs", () => {
    const connected = Layer.unwrapEffect(Effect.runSync(Effect.cached(newDatabase)))

    /**
     * Tests the run `c0ffee`, which is open and has `batches` batches. `age` makes it look as if no worker had reported a
     * batch for some seconds. The tests share a database and empty its tables: to make one for each took half of their
     * time.
     */
    const test = (
      name: string,
      { batches = 2, maxCost }: { readonly batches?: number; readonly maxCost?: number },
      body: (
        store: RunStore.Service,
        age: (number: number, seconds: number) => Effect.Effect<unknown, unknown>,
      ) => Effect.Effect<void, unknown, SqlClient.SqlClient>,
    ) =>
      it.scopedLive(
        name,
        () =>
          Effect.gen(function* () {
            const store = yield* RunStore.RunStore
            const sql = yield* SqlClient.SqlClient
            yield* sql`delete from vibe_runs`
            yield* sql`delete from vibe_workers`
            assert.isTrue(yield* create(store, "c0ffee", maxCost))
            yield* store.plan(
              "c0ffee",
              Array.from({ length: batches }, (_, at) => batchOf(`batch ${at + 1}`)),
            )
            yield* store.open("c0ffee")
            yield* body(store, (number, seconds) => {
              const earlier = sql.literal(`interval '${seconds} seconds'`)
              return sql`update vibe_batches set sent_at = sent_at - ${earlier}, seen_at = seen_at - ${earlier}
              where number = ${number}`
            })
          }).pipe(Effect.provide(connected)),
        LONG,
      )

    const create = (store: RunStore.Service, id: string, maxCost?: number) =>
      store.create({
        id,
        repository: "house",
        commit: "",
        version: "1.0.0",
        models: ["scripted/test"],
        request: {},
        maxCost,
        spent: 0,
      })

    const one: RunStore.BatchKey = { run: "c0ffee", number: 1 }
    const two: RunStore.BatchKey = { run: "c0ffee", number: 2 }

    test("are found by the beginning of an id, and by nothing else", {}, (store) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* store.find("c0f"))?.id, "c0ffee")
        for (const prefix of ["", "foo", "c_ffee", "%"]) assert.isUndefined(yield* store.find(prefix))
      }),
    )

    test("are one for a repository, also where the call that made it is repeated", {}, (store) =>
      Effect.gen(function* () {
        assert.isTrue(yield* create(store, "c0ffee"))
        assert.isFalse(yield* create(store, "decade"))
      }),
    )

    test("let others connect while a plan is written", {}, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update vibe_batches set tokens = 11`
            yield* sql`update vibe_runs set planned_at = now()`
            const run = yield* Effect.flatMap(RunStore.RunStore, (other) => other.find("c0ffee")).pipe(
              Effect.provide(connected),
            )
            assert.strictEqual(run?.batches.waiting, 2)
          }),
        )
      }),
    )

    test("give a batch to one worker as long as that one reports", {}, (store, age) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* store.begin(one, workerOf("a")))._tag, "Ask")
        assert.strictEqual((yield* store.begin(one, workerOf("b")))._tag, "Skip")
        yield* age(1, 10)
        assert.strictEqual((yield* store.begin(one, workerOf("b")))._tag, "Ask")
      }),
    )

    test("have batches lost that no worker reports, and none that waits with a worker", { batches: 3 }, (store, age) =>
      Effect.gen(function* () {
        yield* store.report({ id: "a", version: "1.0.0", parallel: 1 }, [])
        assert.strictEqual((yield* store.send("1.0.0")).length, 3)
        for (const number of [1, 2, 3]) yield* age(number, 300)
        yield* store.report({ id: "a", version: "1.0.0", parallel: 1 }, [one])
        assert.deepStrictEqual(yield* store.takeLost(workerOf("b"), 1), [two])
        // It is with that worker from now on.
        assert.strictEqual((yield* store.begin(two, workerOf("c")))._tag, "Skip")
        assert.strictEqual((yield* store.begin(two, workerOf("b")))._tag, "Ask")
        assert.deepStrictEqual(yield* store.takeLost(workerOf("c"), 5), [{ run: "c0ffee", number: 3 }])
        assert.deepStrictEqual(yield* store.takeLost(workerOf("c"), 5), [])
      }),
    )

    test("count what an answer has cost that is stored twice, and keep the first", { batches: 1 }, (store, age) =>
      Effect.gen(function* () {
        yield* store.begin(one, workerOf("a"))
        // The first worker was killed: the provider may charge for its answer.
        yield* age(1, 300)
        yield* store.begin(one, workerOf("b"))
        assert.strictEqual((yield* store.find("c0ffee"))?.lost, ESTIMATE)
        yield* store.end(one, "b", answered("first", 0.5))
        yield* store.end(one, "b", answered("second", 0.5))
        assert.strictEqual((yield* store.begin(one, workerOf("c")))._tag, "Skip")
        assert.strictEqual((yield* store.read("c0ffee", 1)).answer?.toString(), "first")
        const run = yield* store.find("c0ffee")
        assert.deepStrictEqual([run?.spent, run?.inputTokens, run?.repeated], [1, 20, 1])
      }),
    )

    test("have no more lost than what has not arrived, also of a worker that counted as gone", {}, (store, age) =>
      Effect.gen(function* () {
        for (const batch of [one, two]) {
          yield* store.begin(batch, workerOf("a"))
          yield* age(batch.number, 300)
          yield* store.begin(batch, workerOf("b"))
        }
        const lost = Effect.map(store.find("c0ffee"), (run) => [run?.lost, run?.spent])
        assert.deepStrictEqual(yield* lost, [2 * ESTIMATE, 0])
        yield* store.end(one, "a", answered("late, and first", 0.5))
        assert.deepStrictEqual(yield* lost, [ESTIMATE, 0.5])
        yield* store.end(one, "b", answered("of the other worker", 0.5))
        yield* store.end(two, "b", answered("of the other worker", 0.5))
        yield* store.end(two, "a", answered("late", 0.5))
        assert.deepStrictEqual(yield* lost, [0, 2])
        assert.strictEqual((yield* store.read("c0ffee", 1)).answer?.toString(), "late, and first")
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select reserved from vibe_runs`, [{ reserved: 0 }])
      }),
    )

    test(
      "keep what is reserved for the worker that has taken a batch after one that is late",
      { maxCost: 0.9 },
      (store, age) =>
        Effect.gen(function* () {
          yield* store.begin(one, workerOf("a"))
          yield* age(1, 300)
          yield* store.begin(one, workerOf("b"))
          yield* store.end(one, "a", answered("late", 0.5))
          // 0.5 are spent, and 0.25 are reserved for the worker that asks still.
          assert.strictEqual((yield* store.begin(two, workerOf("c")))._tag, "Wait")
          yield* store.end(one, "b", answered("not stored", 0.1))
          assert.strictEqual((yield* store.begin(two, workerOf("c")))._tag, "Ask")
        }),
    )

    test("charge what is reserved where the cost of an answer is unknown", { maxCost: 0.4 }, (store) =>
      Effect.gen(function* () {
        yield* store.begin(one, workerOf("a"))
        yield* store.end(one, "a", answered("by another model", undefined))
        assert.strictEqual((yield* store.find("c0ffee"))?.spent, ESTIMATE)
        assert.strictEqual((yield* store.begin(two, workerOf("a")))._tag, "Skip")
        assert.strictEqual((yield* store.find("c0ffee"))?.state, "budget")
      }),
    )

    test("are not for workers of another version", {}, (store, age) =>
      Effect.gen(function* () {
        yield* store.report({ id: "a", version: "1.0.0", parallel: 1 }, [])
        assert.deepStrictEqual(yield* store.send("2.0.0"), [])
        assert.strictEqual((yield* store.send("1.0.0")).length, 2)
        assert.deepStrictEqual(yield* store.begin(one, workerOf("b", "2.0.0")), {
          _tag: "OtherVersion",
          version: "1.0.0",
        })
        yield* age(1, 300)
        assert.deepStrictEqual(yield* store.takeLost(workerOf("b", "2.0.0"), 5), [])
        assert.deepStrictEqual(yield* store.takeLost(workerOf("c"), 5), [one])
      }),
    )

    test("wait at the limit of cost for what is reserved and not used", { maxCost: 0.4 }, (store) =>
      Effect.gen(function* () {
        yield* store.begin(one, workerOf("a"))
        assert.strictEqual((yield* store.begin(two, workerOf("b")))._tag, "Wait")
        yield* store.end(one, "a", answered("cheap", 0.1))
        assert.deepInclude(yield* store.begin(two, workerOf("b")), { _tag: "Ask", maxOutput: 100, attempts: 1 })
      }),
    )

    test("end at the limit of cost", { maxCost: 0.4 }, (store) =>
      Effect.gen(function* () {
        yield* store.begin(one, workerOf("a"))
        yield* store.end(one, "a", answered("dear", 0.3))
        assert.strictEqual((yield* store.begin(two, workerOf("b")))._tag, "Skip")
        assert.strictEqual((yield* store.find("c0ffee"))?.state, "budget")
        assert.isTrue(yield* store.isEnded("c0ffee", 2))
      }),
    )

    test("do not wait at the limit for a worker that is gone", { maxCost: 0.4 }, (store, age) =>
      Effect.gen(function* () {
        yield* store.begin(one, workerOf("a"))
        yield* age(1, 300)
        assert.strictEqual((yield* store.begin(two, workerOf("b")))._tag, "Skip")
        assert.strictEqual((yield* store.find("c0ffee"))?.state, "budget")
      }),
    )

    test("charge nothing for a batch that is given back", { batches: 1, maxCost: 0.3 }, (store) =>
      Effect.gen(function* () {
        for (const worker of ["a", "b", "c"]) {
          assert.strictEqual((yield* store.begin(one, workerOf(worker)))._tag, "Ask")
          yield* store.giveBack(one, worker)
        }
        const run = yield* store.find("c0ffee")
        assert.deepStrictEqual([run?.state, run?.lost, run?.batches.waiting], ["running", 0, 1])
      }),
    )

    test("are opened again by a batch that is added, unless another is open", { batches: 1 }, (store) =>
      Effect.gen(function* () {
        yield* store.begin(one, workerOf("a"))
        yield* store.end(one, "a", answered("done", 0))
        yield* store.complete
        assert.strictEqual((yield* store.find("c0ffee"))?.state, "complete")
        assert.strictEqual(yield* store.add("c0ffee", batchOf("once more")), 2)
        assert.strictEqual(yield* store.add("c0ffee", batchOf("once more")), 2)
        yield* store.complete
        assert.strictEqual((yield* store.find("c0ffee"))?.state, "running")
        yield* store.begin(two, workerOf("a"))
        yield* store.end(two, "a", answered("done", 0))
        yield* store.complete
        assert.isTrue(yield* create(store, "decade"))
        assert.isUndefined(yield* store.add("c0ffee", batchOf("another")))
        assert.strictEqual((yield* store.find("c0ffee"))?.batches.waiting, 0)
      }),
    )

    test("keep other versions out while they are open, but not by a starter that was killed", {}, (store) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* store.otherVersions("2.0.0"), [{ version: "1.0.0", run: "c0ffee" }])
        yield* store.cancel("c0ffee")
        yield* create(store, "decade")
        const sql = yield* SqlClient.SqlClient
        yield* sql`update vibe_runs set planned_at = now() - interval '5 minutes'`
        assert.deepStrictEqual(yield* store.otherVersions("2.0.0"), [])
      }),
    )
  })
