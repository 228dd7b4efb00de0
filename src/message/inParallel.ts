/** Concurrency that an interrupt ends at any moment. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Runs all of them at the same time until the last has ended. Not `Effect.forEach` with a concurrency: where an interrupt comes
 * between the step that makes its fibers and the one that starts them, it waits for ever. `Effect.fork` makes and starts in one step.
 */
export const inParallel = <E, R>(runs: ReadonlyArray<Effect.Effect<void, E, R>>): Effect.Effect<void, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fibers: Array<Fiber.Fiber<void, E>> = []
      for (const run of runs) fibers.push(yield* Effect.fork(restore(run)))
      const ended = Effect.forEach(fibers, (fiber) => Effect.flatten(Fiber.await(fiber)), { discard: true })
      yield* Effect.ensuring(restore(ended), Fiber.interruptAll(fibers))
    }),
  )
