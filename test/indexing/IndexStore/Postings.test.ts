import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import type { Statements } from "../../../src/disk/Sqlite.ts"
import * as Posting from "../../../src/indexing/IndexStore/internal/Posting.ts"
import * as Postings from "../../../src/indexing/IndexStore/internal/Postings.ts"
import * as Roster from "../../../src/indexing/IndexStore/internal/Roster.ts"
import { asked } from "../../../src/indexing/Search.ts"
import { database, type Made, made, run, told, vocabulary } from "./Postings.fixture.ts"

/** One file with one symbol. */
const one: Made = {
  source: {
    path: "a.ts",
    symbols: [{ name: "fig", container: undefined, doc: undefined, signature: "" }],
    shares: { own: ["fig"], outside: "" },
  },
  purposes: [],
}

const terms = asked(vocabulary.join(" "))

/** A line for each posting of a file that is there: part, term, file, symbol and impact. */
const posted = (sql: Statements) => {
  const roster = Roster.read(sql)
  return terms
    .flatMap((term) =>
      Postings.find(sql, term).flatMap(({ block, part, postings }) =>
        Array.from(postings).flatMap((posting) => {
          const file = block * Posting.BLOCK + Posting.file(posting)
          const isThere = Roster.isThere(Roster.entry(roster, file))
          return isThere ? [`${part} ${term} ${file} ${Posting.symbol(posting)} ${Posting.impact(posting)}`] : []
        }),
      ),
    )
    .sort()
}

const naive = (files: ReadonlyMap<number, Made>) =>
  Array.from(files, ([number, each]) => {
    const { file, purposes, symbols } = told(each)
    const lines = (part: number, symbol: number, impacts: ReadonlyMap<string, number>) =>
      Array.from(impacts, ([term, impact]) => `${part} ${term} ${number} ${symbol} ${impact}`)
    return [
      ...lines(Postings.FILES, 0, file),
      ...symbols.flatMap((impacts, symbol) => lines(Postings.SYMBOLS, symbol, impacts)),
      ...purposes.flatMap((impacts, symbol) => lines(Postings.PURPOSES, symbol, impacts)),
    ]
  })
    .flat()
    .filter((line) => terms.includes(line.split(" ")[1] ?? ""))
    .sort()

const add = (sql: Statements, each: Made): number => {
  const batch = Postings.batch(sql)
  const file = batch.add(each.source)
  run(batch.write())
  each.purposes.forEach((purpose, symbol) => {
    Postings.replacePurpose(sql, { file, symbol }, undefined, purpose)
  })
  return file
}

const remove = (sql: Statements, file: number) => {
  const batch = Postings.batch(sql)
  batch.remove(file)
  run(batch.write())
}

describe("Postings", () => {
  it.scoped("are those of the files that are there, whatever came and went before", () =>
    Effect.gen(function* () {
      const changes = FastCheck.sample(FastCheck.tuple(made, FastCheck.nat(9)), { numRuns: 300, seed: 1 })
      const sql = yield* database
      const files = new Map<number, Made>()
      for (const [each, chance] of changes) {
        files.set(add(sql, each), each)
        const gone = chance < 8 ? Array.from(files.keys())[chance] : undefined
        if (gone !== undefined) {
          remove(sql, gone)
          files.delete(gone)
        }
        if (chance === 9) {
          run(Postings.sort(sql))
          run(Postings.sweep(sql))
          assert.deepStrictEqual(posted(sql), naive(files))
        }
      }
    }),
  )

  it.scoped("are found when they are sorted in", () =>
    Effect.gen(function* () {
      const sql = yield* database
      add(sql, one)
      assert.deepStrictEqual(posted(sql), [])
      run(Postings.sort(sql))
      assert.lengthOf(posted(sql), 2)
      assert.deepStrictEqual(
        ["fig", "appl"].map((term) => Postings.count(sql, term)),
        [2, 0],
      )
    }),
  )

  it.scoped("follow a purpose that is another, and one that is gone", () =>
    Effect.gen(function* () {
      const sql = yield* database
      const file = add(sql, one)
      const about = (part: number) => posted(sql).filter((line) => line.startsWith(`${part} `))
      Postings.replacePurpose(sql, { file, symbol: 0 }, undefined, "An apple.")
      assert.lengthOf(about(Postings.PURPOSES), 1)
      Postings.replacePurpose(sql, { file, symbol: 0 }, "An apple.", "A fig and a cherry.")
      assert.lengthOf(about(Postings.PURPOSES), 2)
      Postings.replacePurpose(sql, { file, symbol: 0 }, "A fig and a cherry.", undefined)
      assert.lengthOf(about(Postings.PURPOSES), 0)
    }),
  )

  it.scoped("leave nothing behind, and give numbers again, when most files have changed", () =>
    Effect.gen(function* () {
      const sql = yield* database
      for (let round = 0; round < 20; round++) {
        const file = add(sql, one)
        assert.isBelow(file, 3)
        run(Postings.sort(sql))
        remove(sql, file)
        run(Postings.sweep(sql))
      }
      assert.deepStrictEqual(sql("select id from posting union all select id from term").all(), [])
    }),
  )
})
