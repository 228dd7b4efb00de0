/** Makes a value once for all tests of a file: one that takes long to make and that no test changes. */
import { afterAll } from "@effect/vitest"
import { type Context, Effect, Exit, Layer, Scope } from "effect"

/**
 * Returns an effect that makes it if no test has asked for it yet. It is released after the last test of the file. An
 * effect that interrupts a part of itself must be `Effect.interruptible`: a test that ends does not interrupt it.
 */
export const shared = <A, E>(make: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> => {
  const scope = Effect.runSync(Scope.make())
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runSync(Effect.cached(Effect.uninterruptible(Scope.extend(make, scope))))
}

/** Returns a function that provides the services of a layer, which is built once for all effects. */
export const providing = <R, E>(layer: Layer.Layer<R, E>) => {
  const services: Effect.Effect<Context.Context<R>, E> = shared(Layer.build(layer))
  return <A, E1, R1>(effect: Effect.Effect<A, E1, R1>): Effect.Effect<A, E | E1, Exclude<R1, R>> =>
    Effect.flatMap(services, (context) => Effect.provide(effect, context))
}
