/** Opens something with the first who needs it, for all who do. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"

/**
 * An effect that runs `open` once, in the scope of this one, and has its result from then on. It runs in a fiber of its own: who came
 * first may be interrupted while others wait.
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
