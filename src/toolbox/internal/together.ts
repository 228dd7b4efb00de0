/** Joins calls of a tool that run at the same time: each reports only when the work of all of them is done. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

/**
 * Runs the work of a call, and then waits for the work of all calls that began in the meantime, whether it succeeds,
 * fails or is interrupted.
 */
export const make = (): (<A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  let running = 0
  let ended = Deferred.unsafeMake<void>(FiberId.none)
  const begin = Effect.sync(() => {
    running++
    return ended
  })
  const end = Effect.suspend(() => {
    running--
    if (running > 0) return Effect.void
    const last = ended
    ended = Deferred.unsafeMake(FiberId.none)
    return Deferred.succeed(last, undefined)
  })
  return (work) =>
    // Calls of one turn start one after the other, so the last begins before the first does its work.
    Effect.acquireUseRelease(
      begin,
      (all) => Effect.map(Effect.zipRight(Effect.yieldNow(), work), (value) => ({ all, value })),
      () => end,
    ).pipe(Effect.flatMap(({ all, value }) => Effect.as(Deferred.await(all), value)))
}
