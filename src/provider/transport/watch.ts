/** Runs a check periodically, outside of a fiber. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

/**
 * Calls `check` after `wait` milliseconds, and again after as many as it returns, until that is not positive or the
 * returned function is called. With the live clock it uses timers: a sleeping fiber that is interrupted costs about a
 * tenth of the time of a short answer. With any other clock, such as a test's, it uses a fiber.
 */
export const runPeriodically = (clock: Clock.Clock, wait: number, check: () => number): (() => void) =>
  clock === liveClock ? byTimer(wait, check) : bySleep(clock, wait, check)

const liveClock = Context.get(DefaultServices.liveServices, Clock.Clock)

const byTimer = (wait: number, check: () => number): (() => void) => {
  const again = () => {
    const wait = check()
    if (wait > 0) timer = setTimeout(again, wait)
  }
  let timer = setTimeout(again, wait)
  return () => clearTimeout(timer)
}

const bySleep = (clock: Clock.Clock, wait: number, check: () => number): (() => void) => {
  const again = (wait: number): Effect.Effect<void> =>
    wait > 0 ? Effect.flatMap(clock.sleep(Duration.millis(wait)), () => again(check())) : Effect.void
  const watching = Effect.runFork(again(wait))
  return () => watching.unsafeInterruptAsFork(FiberId.none)
}
