/** The models that answer, and how they sample. The command line comes first, then a preset, then a setting. */
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import * as ChosenModel from "./ChosenModel.ts"

interface Typed {
  readonly models: ReadonlyArray<ModelId>
  readonly temperature: Option.Option<number>
  readonly maxTokens: Option.Option<number>
  readonly preset: Option.Option<string>
}

/** `n` is the number of answers per model, 1 by default. `openedModels` opens the models. */
export const resolve = Effect.fn("AnswerOptions.resolve")(function* (typed: Typed) {
  const { maxTokens, models, preset, temperature } = typed
  const set = yield* Effect.mapError(AppConfig.generationSettings(preset), (error) => blameOption(preset, error))
  return {
    openedModels: openModels(models, set.model),
    n: Option.getOrElse(set.n, () => 1),
    temperature: Option.getOrUndefined(Option.orElse(temperature, () => set.temperature)),
    maxOutputTokens: Option.getOrUndefined(Option.orElse(maxTokens, () => set.maxTokens)),
  }
})

/** Makes an error name the option instead of the variable, if the command line names the preset. */
const blameOption = (
  preset: Option.Option<string>,
  error: ConfigError.ConfigError,
): ConfigError.ConfigError | UsageError =>
  Option.isSome(preset) && ConfigError.isInvalidData(error) && error.path.join("_") === "VIBE_PRESET"
    ? new UsageError({ message: `--preset: ${error.message}` })
    : error

const openModels = Effect.fnUntraced(function* (models: ReadonlyArray<ModelId>, set: Option.Option<ModelId>) {
  const registry = yield* ModelRegistry.ModelRegistry
  const [first = yield* ChosenModel.chooseForConversation(set), ...others] = models
  return yield* Effect.forEach([first, ...others] as const, (id) =>
    Effect.flatMap(ChosenModel.requireAnswering(id), registry.open),
  )
})
