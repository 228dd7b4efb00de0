/**
 * Gives Node its turn while there is much to do. Reading, parsing and storing are synchronous, so to Node a run is
 * one long piece of work: with Effect's own scheduler a Ctrl-C, or a tick of the clock, waited for half a minute.
 */
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"

/** Of work in one go. */
const longestMs = 20

/** Looking at the clock costs as much as many a step of a fiber: do it every so many. */
const stepsBetweenLooks = 16

let begun = 0

const scheduler = Scheduler.makeBatched(
  (run) => {
    setImmediate(() => {
      begun = performance.now()
      run()
    })
  },
  (fiber) =>
    fiber.currentOpCount % stepsBetweenLooks === 0 && performance.now() - begun > longestMs
      ? 0
      : Scheduler.defaultShouldYield(fiber),
)

export const given: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.withScheduler(scheduler)
