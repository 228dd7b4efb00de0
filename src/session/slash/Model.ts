/** `/model`: shows or changes the model. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ModelId from "../../message/ModelId.ts"
import { UsageError } from "../../message/UsageError.ts"
import type * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as View from "../View.ts"
import type { SlashCommand } from "./SlashCommand.ts"

export const model = (registry: ModelRegistry.Service): SlashCommand => ({
  name: "model",
  argument: "[PROVIDER/NAME]",
  summary: "Answer with another model from now on",
  run: ({ model, change: take, view }, words) =>
    Effect.gen(function* () {
      if (words !== "") {
        const id = yield* Either.mapLeft(ModelId.parse(words), (message) => new UsageError({ message }))
        yield* take({ model: yield* registry.open(id) })
      }
      const text = `${(yield* model).id} answers${words === "" ? "; /model PROVIDER/NAME changes that, and 'vibe models' lists them" : " from here on"}`
      yield* view.show(View.Entry.Noted({ text }))
      return "continue" as const
    }),
})
