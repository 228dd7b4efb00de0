/** Sizes and limits for tests that something takes time in proportion to its size. */
import { afterEach, assert, beforeEach } from "@effect/vitest"
import { Effect } from "effect"
import { isThorough } from "../thoroughness.ts"

/** How many times smaller what is read is in `npm test`. */
const SHARE = isThorough ? 1 : 8

/** Returns how large an input is that has this size in a thorough run. */
export const size = (thorough: number): number => Math.ceil(thorough / SHARE)

/**
 * Seconds of processor time that an input may take. It is as strict for the small inputs as for the large ones, since
 * what takes the square of its input takes a small one `SHARE ** 2` times faster; both take less than a third of it.
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
 * Fails if the effect takes as much time as code does that needs the square of its input. It counts the time that this
 * thread has computed, which is the same however many others the machine works for.
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
