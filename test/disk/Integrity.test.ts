import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Integrity from "../../src/disk/Integrity.ts"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const format: Sqlite.Format = {
  tables: ["note"],
  version: 1,
  upgrade: (database) => database.exec("create table note (text)"),
}

describe("Integrity.inspect", () => {
  /** A copy of a database that has lost a page, as it stands while another process has it open. */
  const left = Effect.gen(function* () {
    const file = path.join(yield* temporaryFolder, "test.db")
    const copy = `${file}-copy`
    const database = yield* Sqlite.open(file, format)
    yield* Sqlite.attempt(file, () => {
      for (let n = 0; n < 100; n++) database.prepare("insert into note values (?)").run(`${n} ${"x".repeat(500)}`)
      database.exec("pragma wal_checkpoint")
      fs.writeFileSync(copy, fs.readFileSync(file).fill(7, 4096 * 4, 4096 * 5))
      fs.writeFileSync(`${copy}-wal`, "")
    })
    return copy
  })
  const megabyte = { maxBytes: 1_000_000, isDamage: () => true }

  it.scoped("fails each time for a damaged database that was not closed", () =>
    Effect.gen(function* () {
      const file = yield* left
      for (const attempt of ["first", "second"]) {
        const error = yield* Effect.flip(Integrity.inspect(file, megabyte))
        assert.strictEqual(error.message, `${file}: is damaged`, attempt)
      }
    }),
  )

  it.scoped("leaves a file that cannot be looked at to the opening, which fails for it", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "test.db")
      // Like a closed folder, a link to itself cannot be looked through, and not by an administrator either.
      fs.symlinkSync(file, file)
      yield* Integrity.inspect(file, megabyte)
      const error = yield* Effect.flip(Effect.scoped(Sqlite.open(file, format)))
      assert.strictEqual(error.message, `${file}: cannot be written`)
    }),
  )

  it.scoped("does not check a large or a closed database, and passes faults that are no damage", () =>
    Effect.gen(function* () {
      const file = yield* left
      yield* Integrity.inspect(file, { ...megabyte, maxBytes: 10_000 })
      yield* Integrity.inspect(file, { ...megabyte, isDamage: () => false })
      // That has closed it.
      assert.isFalse(fs.existsSync(`${file}-wal`))
      yield* Integrity.inspect(file, megabyte)
    }),
  )

  it.scoped("does not check a database that another connection has open", () =>
    Effect.gen(function* () {
      const file = yield* left
      const database = yield* Sqlite.open(file, format)
      yield* Sqlite.attempt(file, () => database.exec("insert into note values ('more')"))
      yield* Integrity.inspect(file, megabyte)
      assert.isTrue(fs.existsSync(`${file}-wal`))
    }),
  )
})
