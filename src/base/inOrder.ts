/** Layers that are built one after the other, for programs that start often. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The services that the layers need and no earlier one provides. */
type NeedsOf<Layers extends ReadonlyArray<Layer.Layer.Any>, Earlier = never> = Layers extends readonly [
  infer First extends Layer.Layer.Any,
  ...infer Others extends ReadonlyArray<Layer.Layer.Any>,
]
  ? Exclude<Layer.Layer.Context<First>, Earlier> | NeedsOf<Others, Earlier | Layer.Layer.Success<First>>
  : never

type Joined<Layers extends ReadonlyArray<Layer.Layer.Any>> = Layer.Layer<
  { [At in keyof Layers]: Layer.Layer.Success<Layers[At]> }[number],
  { [At in keyof Layers]: Layer.Layer.Error<Layers[At]> }[number],
  NeedsOf<Layers>
>

/**
 * Joins layers. Each may use what those before it provide, and replace it. The last one is released first.
 *
 * The result is that of a row of `Layer.provideMerge`, which makes seven layers of each two and remembers them all: a
 * quick command spent a quarter of the steps of its fibers on that.
 */
export const inOrder = <const Layers extends ReadonlyArray<Layer.Layer.Any>>(...layers: Layers): Joined<Layers> =>
  // The types of a row of any length are known by the signature alone.
  Layer.scopedContext(
    Effect.gen(function* () {
      const memoMap = yield* Layer.CurrentMemoMap
      const scope = yield* Effect.scope
      let built: Context.Context<never> = Context.empty()
      for (const layer of layers as unknown as ReadonlyArray<Layer.Layer<never>>) {
        const next = Effect.provide(Layer.buildWithMemoMap(layer, memoMap, scope), built)
        built = Context.merge(built, yield* next)
      }
      return built
    }),
  ) as unknown as Joined<Layers>
