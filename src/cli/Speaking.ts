/** Who is to speak in a conversation, and how: as the command line says, else as a preset or a setting does. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as AppConfig from "../config/AppConfig.ts"
import type { ModelId } from "../message/ModelId.ts"
import * as ModelRegistry from "../model/ModelRegistry.ts"
import * as ChosenModel from "./ChosenModel.ts"

export interface Typed {
  readonly models: ReadonlyArray<ModelId>
  readonly temperature: Option.Option<number>
  readonly maxTokens: Option.Option<number>
  readonly preset: Option.Option<string>
}

/** `n` is as it is set, or 1. `speakers` opens the models. */
export const of = Effect.fn("Speaking.of")(function* ({ maxTokens, models, preset, temperature }: Typed) {
  const set = yield* AppConfig.generationSettings(preset)
  return {
    speakers: opened(models, set.model),
    n: Option.getOrElse(set.n, () => 1),
    temperature: Option.getOrUndefined(Option.orElse(temperature, () => set.temperature)),
    maxOutputTokens: Option.getOrUndefined(Option.orElse(maxTokens, () => set.maxTokens)),
  }
})

const opened = Effect.fnUntraced(function* (models: ReadonlyArray<ModelId>, set: Option.Option<ModelId>) {
  const registry = yield* ModelRegistry.ModelRegistry
  const [first = yield* Option.match(set, { onNone: () => ChosenModel.speaker, onSome: Effect.succeed }), ...others] =
    models
  return yield* Effect.forEach([first, ...others] as const, registry.open)
})
