/** The models on a server of the user, set by a test. */
import { Effect, Layer, Option } from "effect"
import { ModelId } from "../../src/message/ModelId.ts"
import { LocalModels } from "../../src/model/ServerModels.ts"

/** Models of Ollama, by name. */
export const pulled = (...names: ReadonlyArray<string>): Layer.Layer<LocalModels> =>
  Layer.succeed(LocalModels, {
    provider: "ollama",
    all: Effect.succeedSome(names.map((name) => new ModelId({ provider: "ollama", name }))),
  })

/** No server answers. */
export const none: Layer.Layer<LocalModels> = Layer.succeed(LocalModels, {
  provider: "ollama",
  all: Effect.succeed(Option.none()),
})
