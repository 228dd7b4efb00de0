import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import * as Watcher from "../../src/code/Watcher.ts"

const make = Effect.map(
  Effect.sync(() =>
    Watcher.makeWatch(
      "/p",
      () => 1,
      () => Effect.void,
    ),
  ),
  ({ notes, watch }) => ({ notes, watch }),
)

describe("a watch", () => {
  it.effect("takes anything at first, then each path once, and nothing where nothing was noticed", () =>
    Effect.gen(function* () {
      const { notes, watch } = yield* make
      assert.deepStrictEqual(yield* watch.take, { _tag: "Anything" })
      for (const path of ["a.ts", "b.ts", "a.ts"]) notes.change(path)
      assert.deepStrictEqual(yield* watch.take, { _tag: "Paths", paths: ["a.ts", "b.ts"] })
      assert.deepStrictEqual(yield* watch.take, { _tag: "Paths", paths: [] })
    }),
  )

  it.effect("takes anything after more paths than it keeps", () =>
    Effect.gen(function* () {
      const { notes, watch } = yield* make
      yield* watch.take
      for (let number = 0; number <= Watcher.MAX_PATHS; number++) notes.change(`${number}.ts`)
      assert.deepStrictEqual(yield* watch.take, { _tag: "Anything" })
      assert.deepStrictEqual(yield* watch.take, { _tag: "Paths", paths: [] })
    }),
  )

  it.effect("has settled after 150 ms without a change", () =>
    Effect.gen(function* () {
      const { notes, watch } = yield* make
      yield* watch.take
      const settled = yield* Effect.fork(watch.settled)
      yield* TestClock.adjust("1 hour")
      assert.isNull(settled.unsafePoll())
      notes.change("a.ts")
      yield* TestClock.adjust("100 millis")
      notes.change("b.ts")
      yield* TestClock.adjust("199 millis")
      assert.isNull(settled.unsafePoll())
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(settled)
      assert.deepStrictEqual(yield* watch.take, { _tag: "Paths", paths: ["a.ts", "b.ts"] })
    }),
  )

  it.effect("has settled after 2 seconds of changes without a pause", () =>
    Effect.gen(function* () {
      const { notes, watch } = yield* make
      yield* watch.take
      const settled = yield* Effect.fork(watch.settled)
      let milliseconds = 0
      for (; settled.unsafePoll() === null; milliseconds += 50) {
        notes.change("log.txt")
        yield* TestClock.adjust("50 millis")
      }
      assert.isAtLeast(milliseconds, 2_000)
      assert.isAtMost(milliseconds, 2_200)
    }),
  )

  it.effect("looks at everything every 5 seconds where it polls, and less often where that takes long", () =>
    Effect.gen(function* () {
      const { notes, watch } = yield* make
      notes.poll("TooManyFolders")
      assert.deepStrictEqual(yield* watch.mode, { _tag: "Polling", reason: "TooManyFolders" })
      const waits = (time: number) =>
        Effect.gen(function* () {
          const settled = yield* Effect.fork(watch.settled)
          yield* TestClock.adjust(time - 1)
          assert.isNull(settled.unsafePoll())
          yield* TestClock.adjust(1)
          yield* Fiber.join(settled)
        })
      yield* waits(5_000)
      assert.deepStrictEqual(yield* watch.take, { _tag: "Anything" })
      assert.deepStrictEqual(yield* watch.take, { _tag: "Anything" })
      yield* TestClock.adjust("1 second")
      yield* waits(20_000)
    }),
  )

  it.effect("says that the root is gone as often as it is asked, and at once", () =>
    Effect.gen(function* () {
      const { notes, watch } = yield* make
      yield* watch.take
      notes.rootGone()
      const settled = yield* Effect.fork(watch.settled)
      yield* TestClock.adjust("150 millis")
      yield* Fiber.join(settled)
      for (let time = 0; time < 2; time++) {
        assert.deepStrictEqual(yield* watch.take, { _tag: "RootGone", root: "/p" })
      }
    }),
  )
})
