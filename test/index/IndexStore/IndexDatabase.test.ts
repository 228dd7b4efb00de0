import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as IndexDatabase from "../../../src/index/IndexStore/internal/IndexDatabase.ts"
import * as IndexLocation from "../../../src/index/IndexStore/internal/IndexLocation.ts"
import * as Metadata from "../../../src/index/IndexStore/internal/Metadata.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"

describe("a database with reads during writes", () => {
  it.scoped("reads what was there before, while a transaction is under way", () =>
    Effect.gen(function* () {
      const database = yield* IndexDatabase.open(IndexLocation.onDisk(yield* temporaryFolder), {
        readsDuringWrites: true,
      })
      const structure = database.read((sql) => Metadata.get(sql, "structure"))
      let seen: Array<string | undefined> = []
      const writer = yield* Effect.fork(
        database.write(function* (sql) {
          Metadata.set(sql, "structure", "complete")
          while (seen.length === 0) yield
        }),
      )
      yield* Effect.yieldNow()
      seen = [yield* structure]
      yield* Fiber.join(writer)
      assert.deepStrictEqual(seen, [undefined])
      assert.strictEqual(yield* structure, "complete")
    }),
  )

  it.scoped("reads the new database after it was made again", () =>
    Effect.gen(function* () {
      const database = yield* IndexDatabase.open(IndexLocation.onDisk(yield* temporaryFolder), {
        readsDuringWrites: true,
      })
      const readDuring = (structure: string) =>
        Effect.gen(function* () {
          const seen: Array<string | undefined> = []
          const writer = yield* Effect.fork(
            database.write(function* (sql) {
              Metadata.set(sql, "structure", structure)
              while (seen.length === 0) yield
            }),
          )
          yield* Effect.yieldNow()
          seen.push(yield* database.read((sql) => Metadata.get(sql, "structure")))
          yield* Fiber.join(writer)
          return seen[0]
        })
      yield* readDuring("complete")
      yield* database.recreate
      assert.isUndefined(yield* readDuring("partial"))
      assert.strictEqual(yield* readDuring("complete"), "partial")
    }),
  )
})
