/** Sizes and limits for tests that something takes linear time. */
import { afterEach, assert, beforeEach } from "@effect/vitest"
import { Effect } from "effect"
import { isThorough } from "../thoroughness.ts"

/** An input of a thorough run is so many times as long as in `npm test`. */
const SHARE = isThorough ? 1 : 8

/** Returns the size of an input that has the size `thorough` in a thorough run. */
export const size = (thorough: number): number => Math.ceil(thorough / SHARE)

/**
 * The most seconds of processor time for an input. It is as strict for the small inputs as for the large ones, since
 * quadratic code reads a small one `SHARE ** 2` times as fast. Linear code takes less than a third of it for both.
 */
const LIMIT = 30 / SHARE ** 2

/** A slow machine may take longer for what it has not compiled yet. */
const ATTEMPTS = 3

/** Seconds that this thread has computed; on Node 22, which does not count threads, those of the process. */
const processorTime = (): number => {
  const { system, user } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000_000
}

/**
 * Fails if the effect takes more than `LIMIT`, as quadratic code does. It counts the processor time of this thread, which
 * other processes hardly change.
 */
export const inLinearTime = <A, E, R>(self: Effect.Effect<A, E, R>, attempts = ATTEMPTS): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const before = processorTime()
    return Effect.flatMap(self, (result) => {
      const seconds = processorTime() - before
      if (seconds > LIMIT && attempts > 1) return inLinearTime(self, attempts - 1)
      assert.isAtMost(seconds, LIMIT)
      return Effect.succeed(result)
    })
  })

/** Fails each test of a file that takes more seconds of processor time. */
export const limitProcessorTime = (seconds: number): void => {
  let before = 0
  beforeEach(() => {
    before = processorTime()
  })
  afterEach(() => assert.isAtMost(processorTime() - before, seconds))
}
