/** The outliner, loaded when the first text is outlined: most questions find that no file has changed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { openOnce } from "../base/mutex.ts"
import { type Service, Symbols } from "../code/Symbols.ts"
import * as Optimiser from "./Optimiser.ts"
import { IsOwnProcess } from "./OwnProcess.ts"

export const layer: Layer.Layer<Symbols> = Layer.scoped(
  Symbols,
  Effect.gen(function* () {
    const isOwnProcess = yield* IsOwnProcess
    const load = () => {
      if (!isOwnProcess) return import("../code/Symbols/Workers.ts")
      // Reading many files takes long enough for optimised code to pay.
      Optimiser.allow()
      return import("./ProgramSymbols.ts")
    }
    const symbols = yield* openOnce(
      Effect.promise(load).pipe(
        Effect.flatMap(({ layer }) => Layer.build(layer)),
        Effect.map(Context.get(Symbols)),
      ),
    )
    let loaded: Service | undefined
    return Symbols.of({
      outline: (path, text) =>
        Effect.flatMap(symbols, (service) => {
          loaded = service
          return service.outline(path, text)
        }),
      release: Effect.suspend(() => loaded?.release ?? Effect.void),
    })
  }),
)
