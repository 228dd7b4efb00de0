/** Layers that load their modules when they are built, so that a command loads only what it runs on. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const lazily = <M, A, E, R>(
  load: () => Promise<M>,
  layer: (module: M) => Layer.Layer<A, E, R>,
): Layer.Layer<A, E, R> => Layer.unwrapEffect(Effect.map(Effect.promise(load), layer))
