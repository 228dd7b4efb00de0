/** Runs at the same time and races, which an interrupt ends at any moment. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Runs all of them at the same time until the last has ended, or one has failed, which interrupts the others. It
 * replaces `Effect.forEach` with a concurrency, which waits for ever if an interrupt comes between the step that makes
 * its fibers and the one that starts them; `test/base/interrupts.test.ts` shows it. `Effect.fork` makes and starts
 * in one step.
 */
export const inParallel = <E, R>(runs: ReadonlyArray<Effect.Effect<void, E, R>>): Effect.Effect<void, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      if (runs.length === 0) return
      const end = yield* Deferred.make<void, E>()
      let left = runs.length
      const watched = (run: Effect.Effect<void, E, R>) =>
        Effect.matchCauseEffect(restore(run), {
          onFailure: (cause) => Deferred.failCause(end, cause),
          onSuccess: () => {
            left -= 1
            return left === 0 ? Deferred.succeed(end, undefined) : Effect.void
          },
        })
      const fibers: Array<Fiber.Fiber<unknown>> = []
      for (const run of runs) fibers.push(yield* Effect.fork(watched(run)))
      yield* Effect.ensuring(restore(Deferred.await(end)), Fiber.interruptAll(fibers))
    }),
  )

/**
 * Returns the results for all items, in their order, and runs at most `concurrency` at the same time. The first failure
 * is that of the whole.
 */
export const mapInParallel = <A, B, E, R>(
  items: ReadonlyArray<A>,
  map: (item: A, position: number) => Effect.Effect<B, E, R>,
  concurrency: number = items.length,
): Effect.Effect<ReadonlyArray<B>, E, R> =>
  Effect.suspend(() => {
    const results = new Array<B>(items.length)
    const left = items.entries()
    const worker: Effect.Effect<void, E, R> = Effect.suspend(() => {
      const { done, value } = left.next()
      if (done === true) return Effect.void
      const [position, item] = value
      return Effect.flatMap(map(item, position), (result) => {
        results[position] = result
        // Results that are there at once would leave no turn to other fibers.
        return Effect.zipRight(Effect.yieldNow(), worker)
      })
    })
    return Effect.as(inParallel(Array.from({ length: Math.min(concurrency, items.length) }, () => worker)), results)
  })

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
