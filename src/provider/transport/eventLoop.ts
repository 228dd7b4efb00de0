/** Runs work outside of fibers: long work in turns of the event loop, and periodic checks. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

/** Resolves in the next turn of the event loop, after pending input and signals are handled. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** The steps of one turn. Each takes a microsecond or two. */
const STEPS_PER_TURN = 1000

/** Runs a generator that yields at each step, in turns of `STEPS_PER_TURN`. */
export const runInTurns = async <A>(work: Generator<void, A>): Promise<A> => {
  for (let steps = 1; ; steps++) {
    const { done, value } = work.next()
    if (done === true) return value
    if (steps % STEPS_PER_TURN === 0) await nextTurn()
  }
}

/**
 * Calls `check` after `wait` milliseconds, and again after as many milliseconds as it returns, until it returns none or
 * the returned function is called. With the live clock it uses timers: a sleeping fiber that is interrupted costs about
 * a tenth of the time of a short answer. With any other clock, such as a test's, it uses a fiber.
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
