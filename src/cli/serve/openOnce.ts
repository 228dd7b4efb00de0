/** Opens a resource at the first use, and shares it among all later uses. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"

/**
 * Returns an effect that runs `open` at its first use, in the scope of this one, and returns the same result at each later use.
 * `open` runs in a fiber of its own, so that it goes on if the first use is interrupted while others wait.
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
