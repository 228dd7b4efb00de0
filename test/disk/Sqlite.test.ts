import { execFileSync, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Ref, Scope, TestClock } from "effect"
import { Busy, DiskError, Full } from "../../src/disk/DiskError.ts"
import { prepareByName } from "../../src/disk/internal/prepare.ts"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"
import { theirs } from "./Theirs.ts"

const format = (version: number, upgrade = "create table note (text)"): Sqlite.Format => ({
  tables: ["note"],
  version,
  upgrade: (database) => database.exec(upgrade),
})

const newFile = Effect.map(temporaryFolder, (folder) => path.join(folder, "test.db"))

const notes = (file: string, database: Sqlite.Database) =>
  Sqlite.attempt(file, () =>
    database
      .prepare("select text from note")
      .all()
      .map(({ text }) => text),
  )

/** Runs a program of the tests, and returns its stderr without the warning of an older Node that SQLite is experimental. */
const run = (...words: ReadonlyArray<string>) =>
  Effect.async<string>((resume) => {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...words])
    let said = ""
    child.stderr.on("data", (chunk) => {
      said += chunk
    })
    child.on("close", () => resume(Effect.succeed(said)))
  })

describe("Sqlite.attempt", () => {
  it.effect.each([
    ["Full", 13],
    // There is no room for the index of a write-ahead log.
    ["Full", 4874],
    ["Unwritable", 10],
    ["Unwritable", 266],
    ["Busy", 5],
  ] as const)("fails with %s for the code %i of SQLite", ([tag, errcode]) =>
    Effect.gen(function* () {
      const thrown = Object.assign(new Error("it went wrong"), { errcode })
      const error = yield* Effect.flip(
        Sqlite.attempt("a.db", () => {
          throw thrown
        }),
      )
      assert.strictEqual(error.reason._tag, tag)
    }),
  )
})

describe("Sqlite.open", () => {
  it.scoped("has what was written when it is opened again", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const write = Effect.flatMap(Sqlite.open(file, format(1)), (database) =>
        Sqlite.attempt(file, () => database.exec("insert into note values ('kept')")),
      )
      yield* Effect.scoped(write)
      assert.deepStrictEqual(yield* notes(file, yield* Sqlite.open(file, format(1))), ["kept"])
    }),
  )

  it.scoped("can search for words", () =>
    Effect.gen(function* () {
      const database = yield* Sqlite.open(":memory:", format(1, "create virtual table note using fts5 (text)"))
      database.exec("insert into note values ('read a file'), ('write a file')")
      assert.deepStrictEqual(
        database
          .prepare("select rowid from note where note match 'read'")
          .all()
          .map(({ rowid }) => rowid),
        [1],
      )
    }),
  )

  it.scoped("opens another database in memory each time, with all that its format makes", () =>
    Effect.gen(function* () {
      const own = format(1)
      const first = yield* Sqlite.open(Sqlite.MEMORY, own)
      yield* Sqlite.attempt(Sqlite.MEMORY, () => first.exec("insert into note values ('first')"))
      const second = yield* Sqlite.open(Sqlite.MEMORY, own)
      assert.deepStrictEqual(yield* notes(Sqlite.MEMORY, second), [])
      // More than the pages that a new database has.
      const long = "a".repeat(1_000_000)
      yield* Sqlite.attempt(Sqlite.MEMORY, () => second.prepare("insert into note values (?)").run(long))
      assert.deepStrictEqual(yield* notes(Sqlite.MEMORY, second), [long])
      assert.deepStrictEqual(yield* notes(Sqlite.MEMORY, yield* Sqlite.open(Sqlite.MEMORY, own)), [])
      assert.deepStrictEqual(yield* notes(Sqlite.MEMORY, first), ["first"])
    }),
  )

  it.scoped("upgrades an earlier format once", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* Effect.scoped(Sqlite.open(file, format(1)))
      const second = format(2, "insert into note values ('upgraded')")
      yield* Effect.scoped(Sqlite.open(file, second))
      assert.deepStrictEqual(yield* notes(file, yield* Sqlite.open(file, second)), ["upgraded"])
    }),
  )

  it.scoped("refuses a later format", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* Effect.scoped(Sqlite.open(file, format(3)))
      const before = fs.readFileSync(file)
      const error = yield* Effect.flip(Effect.scoped(Sqlite.open(file, format(2))))
      assert.strictEqual(error.message, `${file}: was written by a newer version of vibe (format 3)`)
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )

  for (const version of [0, 1, 80]) {
    it.scoped(`refuses another program's database with version ${version}`, () =>
      Effect.gen(function* () {
        const file = yield* newFile
        theirs(file, version)
        const before = fs.readFileSync(file)
        for (const open of [Sqlite.open, Sqlite.openCopy, Sqlite.openToRead]) {
          const error = yield* Effect.flip(Effect.scoped(open(file, format(1))))
          assert.strictEqual(error.message, `${file}: is another program's`)
        }
        assert.deepStrictEqual(fs.readFileSync(file), before)
      }),
    )
  }

  /** A database of format 1 in which another program has run these statements. */
  const altered = (statements: string, own = format(1)) =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* Effect.scoped(Sqlite.open(file, own))
      const database = new DatabaseSync(file)
      database.exec(statements)
      database.close()
      return file
    })

  const openers = [Sqlite.open, Sqlite.openCopy, Sqlite.openToRead]

  it.scoped.each<readonly [object: string, statements: string]>([
    ["the view note", "alter table note rename to n; create view note as select * from n"],
    ["the view other", "create view other as select 1"],
    ["the trigger more", "create trigger more after insert on note begin delete from note; end"],
  ])("opens nothing that has %s of another program, and leaves it as it is", ([object, statements]) =>
    Effect.gen(function* () {
      const file = yield* altered(statements)
      const before = fs.readFileSync(file)
      for (const open of openers) {
        const error = yield* Effect.flip(Effect.scoped(open(file, format(1))))
        assert.strictEqual(error.message, `${file}: was altered by another program: ${object}`)
      }
      const upgraded = yield* Effect.flip(Effect.scoped(Sqlite.open(file, { ...format(2), isExact: true })))
      assert.strictEqual(upgraded.reason._tag, "Altered", "of an earlier format")
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )

  it.scoped("opens a database with the views and triggers of its own format", () =>
    Effect.gen(function* () {
      const own = format(1, "create table note (text); create view loud as select upper(text) as text from note")
      const file = yield* altered("create table other (a)", own)
      for (const open of openers) yield* open(file, own)
    }),
  )

  const exact: Sqlite.Format = {
    ...format(1, "create table note (text); create index note_text on note (text)"),
    tables: ["note", "note_text", "n"],
    isExact: true,
    addIndices: (database) => database.exec("create index note_length on note (length(text))"),
  }

  it.scoped.each<readonly [object: string, statements: string]>([
    ["the table other", "create table other (a)"],
    ["the index other", "create index other on note (text desc)"],
    ["the table note", "alter table note add column more"],
    ["the table n", "alter table note rename to n"],
    ["the table note", "drop table note; create virtual table note using fts5 (text)"],
    ["the index note_text", "drop index note_text"],
    ["the table note", "create table n (a); drop table note"],
  ])("opens a cache only as it was made: %s after %j", ([object, statements]) =>
    Effect.gen(function* () {
      const file = yield* altered(statements, exact)
      for (const open of openers) {
        const error = yield* Effect.flip(Effect.scoped(open(file, exact)))
        assert.strictEqual(error.reason._tag, "Altered")
        if (object !== "the table note") assert.include(error.message, object)
      }
    }),
  )

  it.scoped("opens a cache with and without the indices that are added to it later", () =>
    Effect.gen(function* () {
      const file = yield* altered("create index note_length on note (length(text))", exact)
      for (const each of [file, yield* altered("insert into note values ('a')", exact)]) {
        for (const open of openers) yield* open(each, exact)
      }
    }),
  )

  it.scoped("trusts no schema, and has foreign keys off", () =>
    Effect.gen(function* () {
      const database = yield* Sqlite.open(yield* newFile, format(1))
      assert.deepStrictEqual({ ...database.prepare("pragma trusted_schema").get() }, { trusted_schema: 0 })
      assert.deepStrictEqual({ ...database.prepare("pragma foreign_keys").get() }, { foreign_keys: 0 })
    }),
  )

  it.scoped.each(["", "-journal", "-wal", "-shm"])("does not wait at a pipe in the place of test.db%s", (end) =>
    Effect.gen(function* () {
      const file = yield* newFile
      if (end !== "") yield* Effect.scoped(Sqlite.open(file, format(1)))
      execFileSync("mkfifo", [`${file}${end}`])
      for (const open of [...openers, Sqlite.reserve, Sqlite.requireFiles]) {
        const error = yield* Effect.flip(
          Effect.scoped(Effect.asVoid<unknown, DiskError, Scope.Scope>(open(file, format(1)))),
        )
        assert.strictEqual(error.message, `${file}${end}: is not a regular file`)
      }
      fs.rmSync(`${file}${end}`)
      fs.symlinkSync(path.join(path.dirname(file), "pipe"), `${file}${end}`)
      execFileSync("mkfifo", [path.join(path.dirname(file), "pipe")])
      assert.strictEqual((yield* Effect.flip(Sqlite.requireFiles(file))).reason._tag, "NotAFile", "through a link")
    }),
  )

  it.scoped("finds the files beside what a link leads to", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* Effect.scoped(Sqlite.open(file, format(1)))
      const link = yield* newFile
      fs.symlinkSync(file, link)
      yield* Effect.scoped(Sqlite.open(link, format(1)))
      execFileSync("mkfifo", [`${file}-wal`])
      const error = yield* Effect.flip(Effect.scoped(Sqlite.open(link, format(1))))
      assert.strictEqual(error.message, `${file}-wal: is not a regular file`)
    }),
  )

  it.scoped("fails for a damaged file", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      fs.writeFileSync(file, "not a database, but long enough to be taken for one".repeat(100))
      const error = yield* Effect.flip(Effect.scoped(Sqlite.open(file, format(1))))
      assert.strictEqual(error.reason._tag, "Damaged")
    }),
  )

  it.scoped("fails where no file can be made", () =>
    Effect.gen(function* () {
      const file = path.join(yield* newFile, "beneath", "nothing.db")
      const error = yield* Effect.flip(Effect.scoped(Sqlite.open(file, format(1))))
      assert.strictEqual(error.message, `${file}: cannot be written`)
    }),
  )

  it.scoped(
    "lets processes write in turn",
    () =>
      Effect.gen(function* () {
        const file = yield* newFile
        const counter = run(path.join(import.meta.dirname, "Sqlite.counter.ts"), file, "50")
        const said = yield* Effect.all([counter, counter, counter], { concurrency: "unbounded" })
        assert.deepStrictEqual(said, ["", "", ""])
        const database = yield* Sqlite.open(file, { ...format(1), tables: ["counter"] })
        assert.strictEqual(database.prepare("select n from counter").get()?.n, 150)
      }),
    240_000,
  )
})

describe("Sqlite.openCopy", () => {
  const written = (file: string) =>
    Effect.scoped(
      Effect.flatMap(Sqlite.open(file, format(1)), (database) =>
        Sqlite.attempt(file, () => database.exec("insert into note values ('kept')")),
      ),
    )

  it.scoped("reads and writes a copy, and leaves the file and its folder as they were", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* written(file)
      const before = fs.readFileSync(file)
      const copy = yield* Sqlite.openCopy(file, format(1))
      yield* Sqlite.attempt(file, () => copy.exec("insert into note values ('passing')"))
      assert.deepStrictEqual(yield* notes(file, copy), ["kept", "passing"])
      assert.deepStrictEqual(yield* notes(file, yield* Sqlite.openCopy(file, format(1))), ["kept"])
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), ["test.db"])
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )

  it.scoped("has the latest writes of another connection", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const writer = yield* Sqlite.open(file, format(1))
      yield* Sqlite.attempt(file, () => writer.exec("insert into note values ('new')"))
      assert.deepStrictEqual(yield* notes(file, yield* Sqlite.openCopy(file, format(1))), ["new"])
    }),
  )

  it.scoped("fails where there is no file", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const error = yield* Effect.flip(Sqlite.openCopy(file, format(1)))
      assert.strictEqual(error.message, `${file}: cannot be read`)
      assert.isFalse(fs.existsSync(file))
    }),
  )
})

describe("Sqlite.openToRead", () => {
  const insert = (file: string, database: Sqlite.Database, text: string) =>
    Sqlite.attempt(file, () => database.exec(`insert into note values ('${text}')`))

  it.scoped("has what was written, also a moment ago, and takes nothing more", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const writer = yield* Sqlite.open(file, format(1))
      yield* insert(file, writer, "kept")
      const database = yield* Sqlite.openToRead(file, format(1))
      assert.deepStrictEqual(yield* notes(file, database), ["kept"])
      yield* insert(file, writer, "new")
      assert.deepStrictEqual(yield* notes(file, database), ["kept", "new"])
      const refused = yield* Effect.flip(insert(file, database, "more"))
      assert.strictEqual(refused.message, `${file}: cannot be written`)
    }),
  )

  it.scoped("leaves the file and its folder as they were", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* Effect.scoped(Effect.flatMap(Sqlite.open(file, format(1)), (database) => insert(file, database, "kept")))
      const before = fs.readFileSync(file)
      assert.deepStrictEqual(yield* notes(file, yield* Sqlite.openToRead(file, format(1))), ["kept"])
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), ["test.db"])
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )

  it.scoped("upgrades what is of an earlier format in a copy, and leaves the file as it was", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* Effect.scoped(Effect.flatMap(Sqlite.open(file, format(1)), (database) => insert(file, database, "kept")))
      const before = fs.readFileSync(file)
      const database = yield* Sqlite.openToRead(file, format(2, "insert into note values ('upgraded')"))
      assert.deepStrictEqual(yield* notes(file, database), ["kept", "upgraded"])
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), ["test.db"])
      assert.deepStrictEqual(fs.readFileSync(file), before)
    }),
  )

  it.scoped("reads neither what is not there nor a later format", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const reason = (version: number) =>
        Effect.map(Effect.flip(Sqlite.openToRead(file, format(version))), ({ reason }) => reason._tag)
      assert.strictEqual(yield* reason(1), "Unreadable")
      assert.isFalse(fs.existsSync(file))
      yield* Effect.scoped(Sqlite.open(file, format(2)))
      assert.strictEqual(yield* reason(1), "TooNew")
    }),
  )
})

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
      const waiting = yield* Effect.fork(Effect.flip(Sqlite.retryWhileBusy(one)))
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual(yield* Fiber.join(waiting), busy)
      assert.isAtLeast(yield* count, 400)
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

describe("Sqlite.attempt", () => {
  it.scoped("fails on a full disk", () =>
    Effect.gen(function* () {
      const database = yield* Sqlite.open(":memory:", format(1))
      database.exec("pragma max_page_count = 8")
      const fill = Sqlite.attempt("a.db", () => database.exec("insert into note values (zeroblob(100000))"))
      assert.strictEqual((yield* Effect.flip(fill)).message, "a.db: cannot be written: the disk is full")
    }),
  )

  it.effect("takes a mistake of ours for what it is", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Sqlite.attempt("a.db", () => JSON.parse("{")))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
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

/** A rollback journal that restores the first page of `file` and names a file that SQLite would remove afterwards. */
const journalOf = (file: string, victim: string): Buffer => {
  const magic = Buffer.from("d9d505f920a163d7", "hex")
  const pageSize = 4096
  const header = Buffer.alloc(512)
  magic.copy(header)
  header.writeUInt32BE(12345, 12)
  header.writeUInt32BE(fs.statSync(file).size / pageSize, 16)
  header.writeUInt32BE(512, 20)
  header.writeUInt32BE(pageSize, 24)
  const name = Buffer.from(victim)
  const end = Buffer.alloc(8)
  end.writeUInt32BE(name.length, 0)
  end.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  )
  const page = Buffer.alloc(4)
  page.writeUInt32BE(0x40000000 / pageSize + 1)
  return Buffer.concat([header, page, name, end, magic])
}

describe("a file beside a database that is not of it", () => {
  const withVictim = Effect.gen(function* () {
    const file = yield* newFile
    yield* Effect.scoped(
      Effect.flatMap(Sqlite.open(file, format(1)), (database) =>
        Sqlite.attempt(file, () => database.exec("insert into note values ('kept')")),
      ),
    )
    const victim = path.join(path.dirname(file), "thesis.txt")
    fs.writeFileSync(victim, "ten years of work")
    return { file, victim, journal: journalOf(file, victim) }
  })
  const ways = { open: Sqlite.open, openCopy: Sqlite.openCopy, openToRead: Sqlite.openToRead }

  for (const [name, open] of Object.entries(ways)) {
    for (const withLog of [false, true]) {
      it.scoped(`${name} sets a rollback journal aside${withLog ? ", beside a write-ahead log" : ""}`, () =>
        Effect.gen(function* () {
          const { file, journal, victim } = yield* withVictim
          fs.writeFileSync(`${file}-journal`, journal)
          if (withLog) fs.writeFileSync(`${file}-wal`, "")
          const database = yield* open(file, format(1))
          assert.deepStrictEqual(yield* notes(file, database), ["kept"])
          assert.strictEqual(fs.readFileSync(victim, "utf8"), "ten years of work")
          assert.isFalse(fs.existsSync(`${file}-journal`))
          assert.deepStrictEqual(fs.readFileSync(`${file}-journal.foreign`), journal)
        }),
      )
    }
  }

  it.scoped("is not replaced by the next one that is set aside", () =>
    Effect.gen(function* () {
      const { file, journal } = yield* withVictim
      for (const text of ["first", "second"]) {
        fs.writeFileSync(`${file}-journal`, text)
        yield* Effect.scoped(Sqlite.open(file, format(1)))
      }
      fs.writeFileSync(`${file}-journal`, journal)
      yield* Effect.scoped(Sqlite.reserve(file))
      const aside = ["", "-2", "-3"].map((end) => fs.readFileSync(`${file}-journal.foreign${end}`, "latin1"))
      assert.deepStrictEqual(aside, ["first", "second", journal.toString("latin1")])
    }),
  )

  it.scoped("stays where it is beside another program's database, which may need it", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      theirs(file, 1)
      const journal = journalOf(file, path.join(path.dirname(file), "theirs.txt"))
      fs.writeFileSync(`${file}-journal`, journal)
      for (const open of Object.values(ways)) {
        const error = yield* Effect.flip(Effect.scoped(open(file, format(1))))
        assert.strictEqual(error.message, `${file}: is another program's`)
      }
      assert.deepStrictEqual(fs.readFileSync(`${file}-journal`), journal)
    }),
  )

  it.scoped("is found beside the target of a link", () =>
    Effect.gen(function* () {
      const { file, journal, victim } = yield* withVictim
      const link = `${file}.link`
      fs.symlinkSync(file, link)
      fs.writeFileSync(`${file}-journal`, journal)
      assert.deepStrictEqual(yield* notes(link, yield* Sqlite.open(link, format(1))), ["kept"])
      assert.isTrue(fs.existsSync(victim))
      assert.isTrue(fs.existsSync(`${file}-journal.foreign`))
    }),
  )

  it.scoped("is not taken into a new database, and not removed", () =>
    Effect.gen(function* () {
      const { file } = yield* withVictim
      const other = `${file}.other`
      yield* Effect.scoped(
        Effect.gen(function* () {
          const database = yield* Sqlite.open(other, format(1))
          database.exec("insert into note values ('of another')")
          fs.copyFileSync(`${other}-wal`, `${file}.new-wal`)
        }),
      )
      const log = fs.readFileSync(`${file}.new-wal`)
      const database = yield* Sqlite.open(`${file}.new`, format(1))
      assert.deepStrictEqual(yield* notes(file, database), [])
      assert.deepStrictEqual(fs.readFileSync(`${file}.new-wal.foreign`), log)
    }),
  )
})

describe("a database that two open for the first time at once", () => {
  it.scoped("has what the one wrote while the other was making it, and keeps its log", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const scope = yield* Effect.scope
      const openOther = Sqlite.open(file, format(1)).pipe(
        Effect.tap((database) => database.exec("insert into note values ('of the faster')")),
        Effect.provideService(Scope.Scope, scope),
      )
      let isOther = false
      const database = yield* Sqlite.open(file, {
        ...format(1),
        // The faster one gets its turn while the database of the slower one has no name yet.
        upgrade: (database, from) => {
          format(1).upgrade(database, from)
          if (isOther) return
          isOther = true
          Effect.runSync(openOther)
        },
      })
      database.exec("insert into note values ('of the slower')")
      assert.deepStrictEqual(yield* notes(file, yield* Sqlite.open(file, format(1))), [
        "of the faster",
        "of the slower",
      ])
      assert.isEmpty(fs.readdirSync(path.dirname(file)).filter((name) => name.includes("foreign")))
    }),
  )
})

describe("a database of no bytes", () => {
  it.scoped("is refused and left as it is, with its write-ahead log", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      fs.writeFileSync(file, "")
      fs.writeFileSync(`${file}-wal`, "the last words")
      for (const open of [Sqlite.open, Sqlite.openCopy, Sqlite.openToRead]) {
        const error = yield* Effect.flip(Effect.scoped(open(file, format(1))))
        assert.strictEqual(error.reason._tag, "Emptied")
      }
      assert.strictEqual(fs.readFileSync(file, "utf8"), "")
      assert.strictEqual(fs.readFileSync(`${file}-wal`, "utf8"), "the last words")
    }),
  )

  for (const [what, text] of [
    ["white space", " \n".repeat(40)],
    ["one byte", "x"],
    ["zeros", "\0".repeat(8192)],
    ["half of the first page", undefined],
  ] as const) {
    it.scoped(`is not the only one that is refused: ${what}`, () =>
      Effect.gen(function* () {
        const file = yield* newFile
        yield* Effect.scoped(Sqlite.open(file, format(1)))
        if (text === undefined) fs.truncateSync(file, 2048)
        else fs.writeFileSync(file, text)
        const before = fs.readFileSync(file)
        const error = yield* Effect.flip(Effect.scoped(Sqlite.open(file, format(1))))
        assert.strictEqual(error.reason._tag, "Damaged")
        assert.deepStrictEqual(fs.readFileSync(file), before)
      }),
    )
  }

  it.scoped("is never left at the place of a new one", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      yield* Effect.scoped(Sqlite.open(file, format(1), { mode: 0o600 }))
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), [path.basename(file)])
      if (process.platform !== "win32") assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
    }),
  )
})
