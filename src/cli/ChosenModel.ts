/** The model that a command works with: the one that was named, else the one that the settings allow. */
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AppConfig from "../config/AppConfig.ts"
import { ModelId } from "../message/ModelId.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import type { ModelError } from "../model/ModelError.ts"
import * as ModelRegistry from "../model/ModelRegistry.ts"
import * as Render from "./Render.ts"
import * as Screen from "./Screen.ts"

/** As specified (REQUIREMENTS B-7). */
const specified = new ModelId({ provider: "google", name: "gemini-2.5-flash" })

/** Needs no key. */
const offline = new ModelId({ provider: "offline", name: "offline" })

export const layer = (
  named: Option.Option<ModelId>,
): Layer.Layer<LanguageModel.LanguageModel, ConfigError | ModelError, ModelRegistry.ModelRegistry | Screen.Screen> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.gen(function* () {
      const registry = yield* ModelRegistry.ModelRegistry
      return yield* registry.open(Option.isSome(named) ? named.value : yield* preferred)
    }),
  )

const preferred = Effect.gen(function* () {
  const { err } = yield* Screen.Screen
  const set = yield* AppConfig.model
  if (Option.isSome(set)) return set.value
  if (Option.isSome(yield* AppConfig.googleApiKey)) return specified
  yield* Screen.line(err, Render.noKey)
  return offline
})
