import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import * as IndexDatabase from "../../../src/index/IndexStore/internal/IndexDatabase.ts"
import * as IndexLocation from "../../../src/index/IndexStore/internal/IndexLocation.ts"
import * as Metadata from "../../../src/index/IndexStore/internal/Metadata.ts"
import { temporaryFolder } from "../../disk/TemporaryFolder.ts"
import { interruptAfter } from "../../utils/interruptAfter.ts"

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

  it.scoped("reads during a write, wherever an earlier read was interrupted in the opening for it", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      let isWhole = false
      for (let steps = 1; !isWhole; steps++) {
        const [first, later] = yield* Effect.scoped(
          Effect.gen(function* () {
            const database = yield* IndexDatabase.open(IndexLocation.onDisk(root), { readsDuringWrites: true })
            const read = database.read((sql) => Metadata.get(sql, "structure"))
            let isWriting = true
            const writer = yield* Effect.fork(
              database.write(function* () {
                while (isWriting) yield
              }),
            )
            yield* Effect.yieldNow()
            const exits = [interruptAfter(steps, read), interruptAfter(1_000, read)]
            isWriting = false
            yield* Fiber.join(writer)
            return exits.map((exit) => exit !== null && Exit.isSuccess(exit))
          }),
        )
        assert.isTrue(later, `after ${steps} steps`)
        isWhole = first === true
      }
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
