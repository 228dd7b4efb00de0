/** What makes outlines, loaded with the first of them: most questions find that nothing has changed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Symbols } from "../code/Symbols.ts"

export const layer: Layer.Layer<Symbols> = Layer.scoped(
  Symbols,
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const symbols = yield* Effect.promise(() => import("./Parsing.ts")).pipe(
      Effect.flatMap(({ layer }) => Layer.build(layer)),
      Effect.map(Context.get(Symbols)),
      Scope.extend(scope),
      Effect.cached,
    )
    return Symbols.of({ outline: (path, text) => Effect.flatMap(symbols, ({ outline }) => outline(path, text)) })
  }),
)
