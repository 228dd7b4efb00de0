import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Sqlite from "../../../src/disk/Sqlite.ts"
import * as Roster from "../../../src/indexing/IndexStore/internal/Roster.ts"
import { format } from "../../../src/indexing/IndexStore/internal/Schema.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"

/** Adds a file. */
const add = (sql: Sqlite.Statements) => {
  const roster = Roster.open(sql)
  roster.take(1, false)
  roster.save()
}

describe("Roster.latest", () => {
  it.scoped("is as it is now, whoever has changed it, and not read again where nobody has", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "index.db")
      const [database, other] = [yield* Sqlite.open(file, format), yield* Sqlite.open(file, format)]
      const sql = Sqlite.statements(database)
      const latest = () => Sqlite.snapshot(database, () => Roster.latest(sql))

      assert.strictEqual(latest().files, 0)
      Sqlite.transaction(database, () => add(sql))
      assert.strictEqual(latest().files, 1)
      Sqlite.transaction(other, () => add(Sqlite.statements(other)))
      assert.strictEqual(latest().files, 2)
      assert.strictEqual(latest(), latest())

      assert.throws(() =>
        Sqlite.transaction(database, () => {
          add(sql)
          throw new Error("taken back")
        }),
      )
      assert.strictEqual(latest().files, 2)
    }),
  )
})
