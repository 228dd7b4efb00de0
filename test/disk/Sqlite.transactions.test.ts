import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { type Clock, Duration, Effect, Exit, Fiber, Ref, TestClock } from "effect"
import { Busy, DiskError, Full } from "../../src/disk/DiskError.ts"
import { prepareByName } from "../../src/disk/internal/prepare.ts"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { format, newFile, notes } from "./databases.ts"

describe("Sqlite.transaction", () => {
  it.scoped("keeps nothing of what fails half-way", () =>
    Effect.gen(function* () {
      const database = yield* Sqlite.open(":memory:", format(1))
      const write = Sqlite.attempt(":memory:", () =>
        Sqlite.transaction(database, () => {
          database.exec("insert into note values ('half')")
          throw new Error("a mistake of ours")
        }),
      )
      yield* Effect.exit(write)
      assert.deepStrictEqual(yield* notes(":memory:", database), [])
    }),
  )
})

describe("Sqlite.patient", () => {
  const busy = new DiskError({ path: "a.db", reason: new Busy({}) })
  const attempts = (outcome: (attempt: number) => Effect.Effect<string, DiskError>) =>
    Effect.map(Ref.make(0), (count) => ({
      count: Ref.get(count),
      one: Effect.flatMap(
        Ref.updateAndGet(count, (n) => n + 1),
        outcome,
      ),
    }))

  it.scoped("goes on when another has done its write", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const [mine, other] = [yield* Sqlite.open(file, format(1)), yield* Sqlite.open(file, format(1))]
      other.exec("begin immediate")
      const write = Sqlite.attempt(file, () =>
        Sqlite.transaction(mine, () => mine.exec("insert into note values ('in turn')")),
      )
      const waiting = yield* Effect.fork(
        Sqlite.retryWhileBusy(Effect.tapError(write, () => Effect.sync(() => other.exec("commit")))),
      )
      yield* TestClock.adjust("20 millis")
      yield* Fiber.join(waiting)
      assert.deepStrictEqual(yield* notes(file, other), ["in turn"])
    }),
  )

  it.effect("gives up after ten seconds", () =>
    Effect.gen(function* () {
      const { count, one } = yield* attempts(() => Effect.fail(busy))
      // A clock on which each wait is over at once.
      const clock = yield* Effect.clock
      let now = 0
      const hasty: Clock.Clock = Object.assign(Object.create(clock), {
        currentTimeMillis: Effect.sync(() => now),
        sleep: (duration: Duration.Duration) =>
          Effect.sync(() => {
            now += Duration.toMillis(duration)
          }),
      })
      assert.strictEqual(yield* Effect.flip(Effect.withClock(Sqlite.retryWhileBusy(one), hasty)), busy)
      assert.isAtLeast(yield* count, 400)
      assert.closeTo(now, 10_000, 1_000)
    }),
  )

  it.effect("tries once what is not busy", () =>
    Effect.gen(function* () {
      const full = new DiskError({ path: "a.db", reason: new Full({ cause: "test" }) })
      const { count, one } = yield* attempts(() => Effect.fail(full))
      assert.strictEqual(yield* Effect.flip(Sqlite.retryWhileBusy(one)), full)
      assert.strictEqual(yield* count, 1)
    }),
  )

  it.effect("can be interrupted", () =>
    Effect.gen(function* () {
      const { one } = yield* attempts(() => Effect.fail(busy))
      const waiting = yield* Effect.fork(Sqlite.retryWhileBusy(one))
      yield* TestClock.adjust("100 millis")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(waiting)))
    }),
  )
})

describe("Sqlite.transactionInSteps", () => {
  const inFile = Effect.gen(function* () {
    const file = yield* newFile
    const database = yield* Sqlite.open(file, format(1))
    const add = (...texts: ReadonlyArray<string>) =>
      Sqlite.exclusively(database)(
        Sqlite.transactionInSteps(file, database, function* () {
          yield* Sqlite.inSteps(texts, 1, (text) => {
            database.prepare("insert into note values (?)").run(text)
          })
          return texts.length
        }),
      )
    return { add, file, database, kept: notes(file, database) }
  })

  it.scoped("keeps all that its steps write, and lets other fibers run between them", () =>
    Effect.gen(function* () {
      const { add, kept } = yield* inFile
      let turns = 0
      const fiber = yield* Effect.fork(
        Effect.forever(
          Effect.zipRight(
            Effect.sync(() => {
              turns += 1
            }),
            Effect.yieldNow(),
          ),
        ),
      )
      const texts = Array.from({ length: 20 }, (_, n) => `${n}`)
      assert.strictEqual(yield* add(...texts), 20)
      yield* Fiber.interrupt(fiber)
      assert.isAtLeast(turns, 10)
      assert.deepStrictEqual(yield* kept, texts)
    }),
  )

  it.scoped("takes all of it back when it is interrupted, or a step fails", () =>
    Effect.gen(function* () {
      const { add, database, file, kept } = yield* inFile
      const fiber = yield* Effect.fork(add(...Array.from({ length: 100 }, (_, n) => `${n}`)))
      while (!database.isTransaction) yield* Effect.yieldNow()
      yield* Effect.yieldNow({ priority: 2 })
      yield* Fiber.interrupt(fiber)
      assert.isFalse(database.isTransaction)
      const failed = Sqlite.transactionInSteps(file, database, function* () {
        database.exec("insert into note values ('lost')")
        yield
        database.exec("insert into nothing values ('lost')")
      })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(failed)))
      assert.deepStrictEqual(yield* kept, [])
    }),
  )

  it.scoped("lets others use the connection when it has ended", () =>
    Effect.gen(function* () {
      const { add, kept } = yield* inFile
      yield* Effect.all([add("one", "two"), add("three", "four")], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* kept, ["one", "two", "three", "four"])
    }),
  )
})

describe("numbered parameters", () => {
  const query = "select ?2 as second, ?1 as first, ?1 || ?2 as both"
  const row: Record<string, unknown> = { second: "b", first: "a", both: "ab" }

  it.scoped("take their values in order", () =>
    Effect.gen(function* () {
      const sql = Sqlite.statements(yield* Sqlite.open(Sqlite.MEMORY, format(1)))
      assert.deepStrictEqual({ ...sql(query).get("a", "b") }, row)
      assert.deepStrictEqual(Sqlite.selectArrays(sql, query, "a", "b"), [["b", "a", "ab"]])
      sql("insert into note select ?1 where ?1 = ?2").run("same", "same")
      assert.deepStrictEqual({ ...sql("select text from note where text = ?1").get("same") }, { text: "same" })
    }),
  )

  it("take them also where Node binds values in order to ? alone", () => {
    const database = new DatabaseSync(Sqlite.MEMORY)
    const statement = prepareByName(database, query)
    const { all, get, iterate, run } = statement
    assert.deepStrictEqual({ ...get("a", "b") }, row)
    assert.deepStrictEqual(
      all("a", "b").map((each) => ({ ...each })),
      [row],
    )
    assert.deepStrictEqual(
      Array.from(iterate("a", "b"), (each) => ({ ...each })),
      [row],
    )
    assert.deepStrictEqual(run("a", "b").changes, 0)
    database.close()
  })
})
