/** The outliner of source files, loaded with the first outline: most questions find that no file has changed. */
import { setFlagsFromString } from "node:v8"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Symbols } from "../code/Symbols.ts"

/** Sets how V8 treats grammars and memory in this process. The program, not the library, may decide that. */
const setFlags = Effect.sync(() => {
  // V8 would go on optimising a grammar that is no longer needed, and hold the exit by up to 200 ms.
  setFlagsFromString("--wasm-tiering-budget=100000000")
  // The objects of a refresh are short-lived. A larger young generation saves 3 to 6 % of the time of a large refresh,
  // and takes 110 to 150 MB more.
  setFlagsFromString("--semi-space-growth-factor=1")
})

const threads = Effect.flatMap(
  Effect.zipRight(
    setFlags,
    Effect.promise(() => import("../code/Symbols/Threads.ts")),
  ),
  ({ layer }) => Layer.build(layer),
)

export const layer: Layer.Layer<Symbols> = Layer.scoped(
  Symbols,
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const symbols = yield* Effect.cached(Scope.extend(Effect.map(threads, Context.get(Symbols)), scope))
    return Symbols.of({ outline: (path, text) => Effect.flatMap(symbols, ({ outline }) => outline(path, text)) })
  }),
)
