/** Mutual exclusion that an interrupt ends at any moment. */
import * as Effect from "effect/Effect"

/** Runs an effect while no other one runs under the same mutex. */
export type Mutex = <A, E, R>(use: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Not a semaphore of Effect: it takes its permit where it can be interrupted, and a fiber that is interrupted between that
 * step and the next one keeps the permit for ever, so that whatever takes it next waits without end.
 */
export const makeMutex = (): Mutex => {
  let isHeld = false
  const waiting = new Set<() => void>()
  const released = Effect.async<void>((resume) => {
    const wake = () => resume(Effect.void)
    waiting.add(wake)
    return Effect.sync(() => waiting.delete(wake))
  })
  const release = Effect.sync(() => {
    isHeld = false
    // All of them look again: one of them may have been interrupted, and would not pass it on.
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  })
  return (use) =>
    Effect.uninterruptibleMask((restore) => {
      const take: Effect.Effect<void> = Effect.suspend(() => {
        if (isHeld) return Effect.zipRight(restore(released), take)
        isHeld = true
        return Effect.void
      })
      return Effect.zipRight(take, Effect.ensuring(restore(use), release))
    })
}
