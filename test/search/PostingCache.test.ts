import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Sqlite from "../../src/disk/Sqlite.ts"
import { format } from "../../src/index/IndexStore/internal/Schema.ts"
import * as PostingCache from "../../src/search/PostingCache.ts"
import * as PostingLists from "../../src/search/PostingLists.ts"
import { temporaryFolder } from "../disk/TemporaryFolder.ts"
import { addTo, database, run } from "./Search.fixture.ts"

/** Adds a file with the symbol `apple`. */
const add = (sql: Sqlite.Statements): number => {
  const writer = PostingLists.writer(sql)
  const symbols = [{ name: "apple", container: undefined, doc: undefined, signature: "" }]
  const file = addTo(writer, { path: "a.ts", isAuxiliary: false, symbols, text: { ofSymbols: [""], outside: "" } })
  run(writer.flush())
  run(PostingLists.mergeSegments(sql))
  return file
}

describe("PostingCache", () => {
  it.scoped(
    "is current after a commit of any connection and after a rollback, and not read again without a commit",
    () =>
      Effect.gen(function* () {
        const file = path.join(yield* temporaryFolder, "index.db")
        const [database, other] = [yield* Sqlite.open(file, format), yield* Sqlite.open(file, format)]
        const sql = Sqlite.statements(database)
        const cache = () => Sqlite.snapshot(database, () => PostingCache.of(sql))

        const current = () => {
          const { count, documents, read } = cache()
          return [documents.files, count("appl"), read("appl").reduce((sum, { postings }) => sum + postings.length, 0)]
        }

        assert.deepStrictEqual(current(), [0, 0, 0])
        Sqlite.transaction(database, () => add(sql))
        assert.deepStrictEqual(current(), [1, 1, 1])
        Sqlite.transaction(other, () => add(Sqlite.statements(other)))
        assert.deepStrictEqual(current(), [2, 2, 2])
        assert.strictEqual(cache(), cache())
        assert.strictEqual(cache().read("appl"), cache().read("appl"))

        assert.throws(() =>
          Sqlite.transaction(database, () => {
            add(sql)
            throw new Error("rolled back")
          }),
        )
        assert.deepStrictEqual(current(), [2, 2, 2])
      }),
  )

  it.effect("counts and reads no postings of a file that is gone", () =>
    Effect.map(database, (sql) => {
      const file = add(sql)
      add(sql)
      const writer = PostingLists.writer(sql)
      writer.remove(file)
      run(writer.flush())
      assert.strictEqual(PostingLists.count(sql, "appl"), 2)
      const { count, read } = PostingCache.of(sql)
      assert.deepStrictEqual(
        [count("appl"), read("appl").flatMap(({ postings }) => Array.from(postings)).length],
        [1, 1],
      )
    }).pipe(Effect.scoped),
  )
})
