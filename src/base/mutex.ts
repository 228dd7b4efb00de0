/** Locks within the process that an interrupt releases at any moment, and what is opened once and then shared. */

import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"

/** Runs an effect while no other one runs under the same mutex. Variables with one are called `exclusively`. */
export type Mutex = <A, E, R>(use: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Makes a mutex under which at most one effect runs at a time. The others wait, and begin in the order in which they
 * came.
 */
export const makeMutex = (): Mutex => makeLimit(1)

/**
 * Makes a mutex under which at most `permits` effects run at a time. It replaces the semaphore of Effect, whose take of
 * a permit can be interrupted: a fiber that is interrupted between that step and the next one keeps the permit for
 * ever, and every later caller waits without end. `test/base/interrupts.test.ts` shows it in a few lines.
 */
export const makeLimit = (permits: number): Mutex => {
  let taken = 0
  const waiting = new Set<() => void>()
  const released = Effect.async<void>((resume) => {
    const wake = () => resume(Effect.void)
    waiting.add(wake)
    return Effect.sync(() => waiting.delete(wake))
  })
  const release = Effect.sync(() => {
    taken -= 1
    // All waiting effects look again: one of them may have been interrupted, and would not pass the permit on.
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  })
  return (use) =>
    Effect.uninterruptibleMask((restore) => {
      const take: Effect.Effect<void> = Effect.suspend(() => {
        if (taken >= permits) return Effect.zipRight(restore(released), take)
        taken += 1
        return Effect.void
      })
      return Effect.zipRight(take, Effect.ensuring(restore(use), release))
    })
}

/**
 * Makes a mutex under which each effect runs to its end, whatever interrupts it: a page that is closed meanwhile leaves
 * no change half made. An effect that it runs must not wait for another one that it runs.
 */
export const makeCriticalSection = (): Mutex => {
  const exclusively = makeMutex()
  return (use) => exclusively(Effect.uninterruptible(use))
}

/** Runs an effect, or `busy` if another one runs under the same mutex. */
type MutexIfFree = <A, E, R, A2, E2, R2>(
  use: Effect.Effect<A, E, R>,
  busy: Effect.Effect<A2, E2, R2>,
) => Effect.Effect<A | A2, E | E2, R | R2>

/** Makes a mutex under which at most one effect runs at a time, and for which nothing waits. */
export const makeMutexIfFree = (): MutexIfFree => {
  let isHeld = false
  const release = Effect.sync(() => {
    isHeld = false
  })
  return <A, E, R, A2, E2, R2>(use: Effect.Effect<A, E, R>, busy: Effect.Effect<A2, E2, R2>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend<A | A2, E | E2, R | R2>(() => {
        if (isHeld) return restore(busy)
        isHeld = true
        return Effect.ensuring(restore(use), release)
      }),
    )
}

/**
 * Remembers the result of `make` for each key, and makes one at a time. A failure and an interrupt are not remembered:
 * the next caller makes the result anew. The cache of Effect by key gives the interrupt of the first caller to every
 * later one.
 */
export const cachedByKey = <K, A, E, R>(make: (key: K) => Effect.Effect<A, E, R>) => {
  const results = new Map<K, { readonly made: A }>()
  const exclusively = makeMutex()
  const find = (key: K): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const known = results.get(key)
      if (known !== undefined) return Effect.succeed(known.made)
      return Effect.tap(make(key), (made) => Effect.sync(() => results.set(key, { made })))
    })
  return (key: K): Effect.Effect<A, E, R> => exclusively(find(key))
}

/**
 * Remembers the result of one effect. A failure and an interrupt are not remembered, whereas `Effect.cached` gives the
 * interrupt of the first caller to every later one.
 */
export const cached = <A, E, R>(make: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  cachedByKey((_: "only") => make)("only")

/**
 * Returns an effect that runs `open` at its first use, in the scope of this one, and returns the same result at each
 * later use. `open` runs in a fiber of its own, so that it goes on if the first use is interrupted while others wait.
 */
export const openOnce = <A, E, R>(
  open: Effect.Effect<A, E, R | Scope.Scope>,
): Effect.Effect<Effect.Effect<A, E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const runtime = yield* Effect.runtime<R>()
    let opening: Fiber.RuntimeFiber<A, E> | undefined
    yield* Effect.addFinalizer(() => (opening === undefined ? Effect.void : Fiber.interrupt(opening)))
    return Effect.suspend(() => {
      opening ??= Runtime.runFork(runtime)(Scope.extend(open, scope))
      return Fiber.join(opening)
    })
  })
