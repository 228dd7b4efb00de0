import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import * as UntilWritten from "../../src/disk/UntilWritten.ts"
import { format, newFile } from "./databases.ts"

describe("UntilWritten", () => {
  it.scoped("reads once for each connection, and again after a commit of any of them", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const [mine, other] = [yield* Sqlite.open(file, format(1)), yield* Sqlite.open(file, format(1))]
      let reads = 0
      const count = UntilWritten.make((sql) => {
        reads++
        return Number(sql("select count(*) as notes from note").get()?.notes)
      })
      const [sql, ofOther] = [Sqlite.statements(mine), Sqlite.statements(other)]
      assert.deepStrictEqual([count(sql), count(sql), reads], [0, 0, 1])
      sql("insert into note values ('mine')").run()
      assert.deepStrictEqual([count(sql), count(sql), reads], [1, 1, 2])
      ofOther("insert into note values ('other')").run()
      assert.deepStrictEqual([count(sql), count(sql), count(ofOther), reads], [2, 2, 2, 4])
    }),
  )
})
