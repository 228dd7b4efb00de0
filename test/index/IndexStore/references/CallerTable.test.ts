import { assert, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as Sqlite from "../../../../src/disk/Sqlite.ts"
import * as CallerTable from "../../../../src/index/IndexStore/internal/references/CallerTable.ts"
import type { Link } from "../../../../src/index/IndexStore/internal/references/Links.ts"
import { format } from "../../../../src/index/IndexStore/internal/Schema.ts"

const link: FastCheck.Arbitrary<Link> = FastCheck.record({
  file: FastCheck.nat(2),
  symbol: FastCheck.nat(2),
  from: FastCheck.integer({ min: -1, max: 2 }),
  lines: FastCheck.constant([1]),
})

/** The links of the files 0, 1, …. */
const links = FastCheck.array(FastCheck.array(link), { maxLength: 3 })

const rows = (sql: Sqlite.Statements) => sql("select * from caller order by 1, 2, 3, 4").all()

const database = Effect.map(Sqlite.open(":memory:", format), Sqlite.statements)

const writeAll = (sql: Sqlite.Statements, all: ReadonlyArray<ReadonlyArray<Link>>) => {
  const collector = CallerTable.collector()
  for (const [source, links] of all.entries()) collector.add(source, { read: [], links })
  const steps = collector.save(sql)
  while (steps.next().done !== true);
}

it.scoped("holds the same callers after any changes as when all are written at once", () =>
  Effect.gen(function* () {
    for (const [before, after] of FastCheck.sample(FastCheck.tuple(links, links), { numRuns: 50, seed: 1 })) {
      const [changed, fresh] = [yield* database, yield* database]
      writeAll(changed, before)
      for (let source = 0; source < Math.max(before.length, after.length); source++) {
        const of = (all: ReadonlyArray<ReadonlyArray<Link>>) => ({ read: [], links: all[source] ?? [] })
        CallerTable.replace(changed, source, of(before), of(after))
      }
      writeAll(fresh, after)
      assert.deepStrictEqual(rows(changed), rows(fresh))
    }
  }),
)

it.scoped("leaves out uses outside of all symbols, and those of a symbol in itself", () =>
  Effect.gen(function* () {
    const sql = yield* database
    const lines = [1]
    writeAll(sql, [
      [
        { file: 0, symbol: 1, from: -1, lines },
        { file: 0, symbol: 1, from: 1, lines },
        { file: 0, symbol: 1, from: 2, lines },
      ],
    ])
    assert.deepStrictEqual(
      rows(sql).map((row) => ({ ...row })),
      [{ file: 0, symbol: 1, source: 0, from: 2 }],
    )
  }),
)
