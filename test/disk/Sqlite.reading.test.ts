import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { format, newFile, notes } from "./databases.ts"

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
