/** Opens a database that others open as well, and adds one to its counter as often as its argument says. */
import * as Effect from "effect/Effect"
import * as Sqlite from "../../src/disk/Sqlite.ts"

const [file = "", times = ""] = process.argv.slice(2)

const format: Sqlite.Format = {
  version: 1,
  tables: ["counter"],
  upgrade: (database) => database.exec("create table counter (n integer); insert into counter values (0)"),
}

Effect.runSync(
  Effect.scoped(
    Effect.flatMap(Sqlite.open(file, format), (database) =>
      Sqlite.attempt(file, () => {
        const sql = Sqlite.statements(database)
        for (let i = 0; i < Number(times); i++) {
          Sqlite.transaction(database, () => {
            const n = Number(sql("select n from counter").get()?.n)
            sql("update counter set n = ?").run(n + 1)
          })
        }
      }),
    ),
  ),
)
