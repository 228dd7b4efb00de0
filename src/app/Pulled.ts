/** The models that Ollama has pulled, where it runs. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ModelId } from "../message/ModelId.ts"
import * as LocalModels from "../model/LocalModels.ts"
import { ollamaServer } from "./Providers.ts"

const provider = "ollama"

export const layer: Layer.Layer<LocalModels.LocalModels> = Layer.effect(
  LocalModels.LocalModels,
  Effect.map(Effect.configProviderWith(Effect.succeed), (settings) => ({
    provider,
    all: Effect.gen(function* () {
      const server = yield* Effect.withConfigProvider(ollamaServer, settings)
      const Ollama = yield* Effect.promise(() => import("../provider/ollama/Ollama.ts"))
      const names = yield* Ollama.listModels(server)
      return names.map((name) => new ModelId({ provider, name }))
    }).pipe(Effect.timeout("1 second"), Effect.option),
  })),
)
