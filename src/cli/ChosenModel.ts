/** The model that a command works with: the one that was named, else the one that the settings allow. */
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AppConfig from "../config/AppConfig.ts"
import * as KnownProviders from "../config/KnownProviders.ts"
import * as ProviderConfig from "../config/ProviderConfig.ts"
import type { ModelId } from "../message/ModelId.ts"
import { UsageError } from "../message/UsageError.ts"
import * as LanguageModel from "../model/LanguageModel.ts"
import * as LocalModels from "../model/LocalModels.ts"
import { ModelError, Unauthorized } from "../model/ModelError.ts"
import * as ModelRegistry from "../model/ModelRegistry.ts"
import { Transport } from "../model/Transport.ts"
import * as Render from "./Render.ts"

const [preferred] = KnownProviders.defaultModels

export interface Choice {
  readonly id: ModelId
  /** Shown once the work begins, where the user did not choose the model. */
  readonly notice: string | undefined
}

/** `named` is the one of the command line. Where there is no model the offline guide does the work. */
export const choose = (
  named: Option.Option<ModelId>,
): Effect.Effect<Choice, ConfigError | UsageError, LocalModels.LocalModels> =>
  Effect.gen(function* () {
    const wanted = Option.isSome(named) ? named : (yield* AppConfig.generationSettings()).model
    if (Option.isSome(wanted)) return { id: wanted.value, notice: undefined }
    return Option.match(yield* found, {
      onNone: () => ({ id: KnownProviders.offline, notice: Render.noKey }),
      onSome: ({ id, why }) => ({ id, notice: id === preferred ? undefined : Render.foundModel(String(id), why) }),
    })
  })

/** Where none is named, and none is to be had. */
export const noModel = new ModelError({
  model: String(preferred),
  reason: new Unauthorized({ message: Render.noModel }),
})

/** The provider whose key is looked for first. */
export const first: string = preferred.provider

/** Where nobody names one, in a conversation: the offline guide has nothing to say there. */
export const speaker: Effect.Effect<ModelId, ConfigError | ModelError | UsageError, LocalModels.LocalModels> =
  Effect.flatMap(
    Effect.suspend(() => found),
    Option.match({
      onNone: () => noModel,
      onSome: ({ id }) => Effect.succeed(id),
    }),
  )

export const layer = (
  id: ModelId,
): Layer.Layer<LanguageModel.LanguageModel, ConfigError | ModelError, ModelRegistry.ModelRegistry> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.flatMap(ModelRegistry.ModelRegistry, (registry) => registry.open(id)),
  )

const unnamed = new UsageError({ message: "the recording does not tell its model: name it with --model" })

interface Found {
  readonly id: ModelId
  readonly why: string
}

/** The one of the recording that answers, else by the first key that is set, else the first that Ollama has here. */
const found: Effect.Effect<Option.Option<Found>, ConfigError | UsageError, LocalModels.LocalModels> = Effect.gen(
  function* () {
    const { replayed } = yield* Transport
    if (replayed !== undefined) {
      const { model } = replayed
      return model === undefined ? yield* unnamed : Option.some({ id: model, why: "it was recorded" })
    }
    if (Option.exists(yield* ProviderConfig.googleVertex, ({ project }) => project !== undefined)) {
      return Option.some({ id: preferred, why: "Vertex AI is" })
    }
    for (const id of KnownProviders.defaultModels) {
      const wanted = ProviderConfig.keys[id.provider]
      if (wanted !== undefined && Option.isSome(yield* wanted.key)) {
        return Option.some({ id, why: `${wanted.name} is set` })
      }
    }
    const local = yield* LocalModels.LocalModels
    const [id] = Option.getOrElse(yield* local.all, () => [])
    return id === undefined ? Option.none() : Option.some({ id, why: "it is here" })
  },
)
