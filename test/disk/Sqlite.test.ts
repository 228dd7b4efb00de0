import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Scope } from "effect"
import type { DiskError } from "../../src/disk/DiskError.ts"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { format, newFile, notes, run } from "./databases.ts"
import { theirs } from "./Theirs.ts"

describe("Sqlite.attempt", () => {
  it.effect.each([
    ["Full", 13],
    // There is no room for the index of a write-ahead log.
    ["Full", 4874],
    ["Unwritable", 10],
    ["Unwritable", 266],
    ["Busy", 5],
    // A row that others count on is missing, or is there twice.
    ["Damaged", 19],
    ["Damaged", 2067],
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
        const said = yield* Effect.all([counter, counter], { concurrency: "unbounded" })
        assert.deepStrictEqual(said, ["", ""])
        const database = yield* Sqlite.open(file, { ...format(1), tables: ["counter"] })
        assert.strictEqual(database.prepare("select n from counter").get()?.n, 100)
      }),
    240_000,
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
