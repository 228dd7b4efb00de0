import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Sqlite from "../../../src/disk/Sqlite.ts"
import * as Latest from "../../../src/indexing/IndexStore/internal/Latest.ts"
import * as Postings from "../../../src/indexing/IndexStore/internal/Postings.ts"
import { format } from "../../../src/indexing/IndexStore/internal/Schema.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { run } from "./Postings.fixture.ts"

/** Adds a file with a symbol, which is an apple. */
const add = (sql: Sqlite.Statements) => {
  const batch = Postings.batch(sql)
  const symbols = [{ name: "apple", container: undefined, doc: undefined, signature: "" }]
  batch.add({ path: "a.ts", symbols, shares: { own: [""], outside: "" } })
  run(batch.write())
  run(Postings.sort(sql))
}

describe("Latest", () => {
  it.scoped("is as it is now, whoever has changed it, and not read again where nobody has", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporaryFolder, "index.db")
      const [database, other] = [yield* Sqlite.open(file, format), yield* Sqlite.open(file, format)]
      const sql = Sqlite.statements(database)
      const latest = () => Sqlite.snapshot(database, () => Latest.of(sql))

      const seen = () => {
        const { count, find, roster } = latest()
        return [roster.files, count("appl"), find("appl").reduce((sum, { postings }) => sum + postings.length, 0)]
      }

      assert.deepStrictEqual(seen(), [0, 0, 0])
      Sqlite.transaction(database, () => add(sql))
      assert.deepStrictEqual(seen(), [1, 1, 1])
      Sqlite.transaction(other, () => add(Sqlite.statements(other)))
      assert.deepStrictEqual(seen(), [2, 2, 2])
      assert.strictEqual(latest(), latest())
      assert.strictEqual(latest().find("appl"), latest().find("appl"))

      assert.throws(() =>
        Sqlite.transaction(database, () => {
          add(sql)
          throw new Error("taken back")
        }),
      )
      assert.deepStrictEqual(seen(), [2, 2, 2])
    }),
  )
})
