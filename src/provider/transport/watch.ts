/** A look now and then at what goes on outside of Effect. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

/**
 * Looks once `wait` milliseconds have passed, and then again after as many as `look` says, until it says none or what
 * comes back is called. By the clock that Effect begins with these are timers: a fiber that sleeps, and is interrupted,
 * takes about a tenth of the time of a short answer. By any other, such as a test's, it is such a fiber.
 */
export const watch = (clock: Clock.Clock, wait: number, look: () => number): (() => void) =>
  clock === usual ? byTimer(wait, look) : bySleep(clock, wait, look)

const usual = Context.get(DefaultServices.liveServices, Clock.Clock)

const byTimer = (wait: number, look: () => number): (() => void) => {
  const again = () => {
    const wait = look()
    if (wait > 0) timer = setTimeout(again, wait)
  }
  let timer = setTimeout(again, wait)
  return () => clearTimeout(timer)
}

const bySleep = (clock: Clock.Clock, wait: number, look: () => number): (() => void) => {
  const again = (wait: number): Effect.Effect<void> =>
    wait > 0 ? Effect.flatMap(clock.sleep(Duration.millis(wait)), () => again(look())) : Effect.void
  const watching = Effect.runFork(again(wait))
  return () => watching.unsafeInterruptAsFork(FiberId.none)
}
