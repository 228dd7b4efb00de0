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

/** As specified (REQUIREMENTS B-7). */
const specified = new ModelId({ provider: "google", name: "gemini-2.5-flash" })

/** Needs no key. */
const offline = new ModelId({ provider: "offline", name: "offline" })

export interface Choice {
  readonly id: ModelId
  /** To be said once the work begins, where nobody made the choice. */
  readonly notice: string | undefined
}

/** `named` is the one of the command line. */
export const choose = (named: Option.Option<ModelId>): Effect.Effect<Choice, ConfigError> =>
  Effect.gen(function* () {
    const wanted = Option.isSome(named) ? named : (yield* AppConfig.asking()).model
    if (Option.isSome(wanted)) return { id: wanted.value, notice: undefined }
    return Option.isSome(yield* AppConfig.googleApiKey)
      ? { id: specified, notice: undefined }
      : { id: offline, notice: Render.noKey }
  })

/** Where nobody names one, in a conversation: the offline guide has nothing to say there. */
export const speaker: ModelId = specified

export const layer = (
  id: ModelId,
): Layer.Layer<LanguageModel.LanguageModel, ConfigError | ModelError, ModelRegistry.ModelRegistry> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.flatMap(ModelRegistry.ModelRegistry, (registry) => registry.open(id)),
  )
