import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Random, TestClock } from "effect"
import * as Ids from "../../src/message/Ids.ts"

const many = (count: number) => Effect.replicateEffect(Ids.next, count)

const ofOneSource = (count: number) =>
  Effect.flatMap(Ids.Ids, ({ source }) => Effect.map(source, (next) => Array.from({ length: count }, next)))

describe("Ids", () => {
  it.effect("generates unique ids in Base32", () =>
    Effect.gen(function* () {
      const ids = yield* many(2_000)
      assert.strictEqual(new Set(ids).size, ids.length)
      assert.isTrue(ids.every((id) => /^[0-9a-hjkmnp-tv-z]{18}$/.test(id)))
    }).pipe(Effect.provide(Ids.layer)),
  )

  it.effect("generates ids with different prefixes in one operation", () =>
    Effect.gen(function* () {
      const ids = yield* ofOneSource(2_000)
      assert.strictEqual(new Set(ids).size, ids.length)
      assert.isTrue(ids.every((id) => /^[0-9a-hjkmnp-tv-z]{18}$/.test(id)))
      const beginnings = new Set(ids.slice(0, 20).map((id) => id.slice(0, 10)))
      assert.strictEqual(beginnings.size, 20)
    }).pipe(Effect.provide(Ids.layer)),
  )

  it.effect("generates different ids in two processes with the same random numbers", () =>
    Effect.gen(function* () {
      const process = Effect.suspend(() =>
        Effect.withRandom(Effect.provide(many(100), Layer.fresh(Ids.layer)), Random.make("the same seed")),
      )
      const first = yield* process
      yield* TestClock.adjust("1 millis")
      const second = yield* process
      assert.strictEqual(new Set([...first, ...second]).size, 200)
    }),
  )

  it.effect("generates ids that sort by time", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.forEach([0, 1, 31, 32, 1_000_000, 1_780_000_000_000], (time) =>
        Effect.zipRight(TestClock.setTime(time), Ids.next),
      )
      assert.deepStrictEqual(ids.toSorted(), ids)
    }).pipe(Effect.provide(Ids.layer)),
  )

  it.effect("generates a sequence for tests", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([...(yield* many(2)), ...(yield* ofOneSource(2))], ["n-0", "n-1", "n-2", "n-3"])
    }).pipe(Effect.provide(Ids.layerSequence)),
  )
})
