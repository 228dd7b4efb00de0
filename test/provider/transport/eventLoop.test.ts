import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { runPeriodically } from "../../../src/provider/transport/eventLoop.ts"

/** The times of the checks, each of which requests the next of `waits`. */
const looks = (now: () => number, waits: ReadonlyArray<number>) => {
  const times: Array<number> = []
  const look = () => {
    times.push(now())
    return waits[times.length - 1] ?? 0
  }
  return { look, times }
}

describe("runPeriodically", () => {
  it.effect("checks after each requested wait until there is none, with a test clock", () =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const { look, times } = looks(() => clock.unsafeCurrentTimeMillis(), [50, 20, 0])
      runPeriodically(clock, 100, look)
      yield* TestClock.adjust("99 millis")
      assert.deepStrictEqual(times, [])
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(times, [100, 150, 170])
    }),
  )

  it.effect("stops checking once it is ended, with a test clock", () =>
    Effect.gen(function* () {
      const { look, times } = looks(() => 0, [50, 50, 50])
      const unwatch = runPeriodically(yield* Effect.clock, 100, look)
      yield* TestClock.adjust("120 millis")
      unwatch()
      yield* TestClock.adjust("1 hour")
      assert.lengthOf(times, 1)
    }),
  )

  it("does the same with the live clock, and leaves no timer behind", () => {
    vi.useFakeTimers({ now: 0, toFake: ["Date", "setTimeout", "clearTimeout"] })
    try {
      const { look, times } = looks(Date.now, [50, 20, 0])
      const start = (look: () => number) => runPeriodically(Effect.runSync(Effect.clock), 100, look)
      start(look)
      vi.advanceTimersByTime(99)
      assert.deepStrictEqual(times, [])
      vi.advanceTimersByTime(3_600_000)
      assert.deepStrictEqual(times, [100, 150, 170])
      assert.strictEqual(vi.getTimerCount(), 0)

      const ended = looks(Date.now, [50, 50, 50])
      const unwatch = start(ended.look)
      vi.advanceTimersByTime(120)
      unwatch()
      vi.advanceTimersByTime(3_600_000)
      assert.lengthOf(ended.times, 1)
      assert.strictEqual(vi.getTimerCount(), 0)
    } finally {
      vi.useRealTimers()
    }
  })
})
