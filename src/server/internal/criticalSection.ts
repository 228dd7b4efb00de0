/** Makes changes one at a time, each to its end. */
import * as Effect from "effect/Effect"
import { makeMutex } from "../../base/mutex.ts"

/**
 * Returns a function that runs effects one after another, each to its end: a page that is closed meanwhile leaves no
 * change half made. An effect that it runs must not wait for another one that it runs.
 */
export const makeCriticalSection = (): (<A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) => {
  const exclusively = makeMutex()
  return (effect) => exclusively(Effect.uninterruptible(effect))
}
