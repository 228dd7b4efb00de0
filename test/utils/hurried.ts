/** A clock that runs ahead, for waits that nothing but time ends. */
import { Clock, Duration, Effect } from "effect"

/** Returns a clock on which this many seconds pass within one of the real clock. */
export const hurried = (factor: number): Clock.Clock => {
  const real = Clock.make()
  const begin = real.unsafeCurrentTimeMillis()
  const now = () => begin + (real.unsafeCurrentTimeMillis() - begin) * factor
  const nanos = () => BigInt(Math.round(now())) * 1_000_000n
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) => real.sleep(Duration.times(duration, 1 / factor)),
  }
}
