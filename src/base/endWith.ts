/** A race, for runs that are ended from outside or after a time. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Interrupts the run as soon as `end` is done, and then has the result of `end`. It replaces `Effect.raceFirst`, which
 * makes its two fibers in one step and starts them in a later one: if a signal interrupts the run between the two, it
 * waits for ever for fibers that never started. `Effect.fork` makes and starts in one step.
 * `test/base/interrupts.test.ts` shows it in a few lines.
 */
export const endWith =
  <B, E2, R2>(end: Effect.Effect<B, E2, R2>) =>
  <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A | B, E | E2, R | R2> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const result = yield* Deferred.make<A | B, E | E2>()
        const fibers = [
          yield* Effect.fork(Effect.intoDeferred(restore(run), result)),
          yield* Effect.fork(Effect.intoDeferred(restore(end), result)),
        ]
        return yield* Effect.ensuring(restore(Deferred.await(result)), Fiber.interruptAll(fibers))
      }),
    )
