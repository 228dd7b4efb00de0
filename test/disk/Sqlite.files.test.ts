import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Scope } from "effect"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { format, newFile, notes } from "./databases.ts"
import { fsyncSpy } from "./fsyncSpy.ts"
import { theirs } from "./Theirs.ts"

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

describe("a new database", () => {
  it.scoped("waits for the disk once, before it has its name", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const fsync = yield* fsyncSpy
      const hadName: Array<boolean> = []
      fsync.mockImplementation(() => void hadName.push(fs.existsSync(file)))
      yield* Sqlite.open(file, format(1))
      assert.deepStrictEqual(hadName, [false])
      assert.isTrue(fs.existsSync(file))
    }),
  )

  it.scoped("is as durable as one that was there before", () =>
    Effect.gen(function* () {
      const database = yield* Sqlite.open(yield* newFile, format(1))
      assert.strictEqual(database.prepare("pragma synchronous").get()?.synchronous, 1)
      assert.strictEqual(database.prepare("pragma journal_mode").get()?.journal_mode, "wal")
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
