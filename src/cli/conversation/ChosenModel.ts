/** The model of a command: the named one, or else the first one of a configured provider. */
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as KnownProviders from "../../config/KnownProviders.ts"
import * as ProviderConfig from "../../config/ProviderConfig.ts"
import type { ModelId } from "../../message/ModelId.ts"
import * as LanguageModel from "../../model/LanguageModel.ts"
import { ModelError, Unauthorized } from "../../model/ModelError.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import { LocalModels } from "../../model/ServerModels.ts"
import { Transport } from "../../model/Transport.ts"

const [preferred] = KnownProviders.defaultModels

/** The notice if no model is named and none is available. */
export const noKey =
  "No key is set and no Ollama answers, so the built-in offline guide explores: no language model is used (vibe models)"

export interface Choice {
  readonly id: ModelId
  /** The notice that is printed when the run starts if the user named no model. */
  readonly notice: string | undefined
}

/** `named` is the model of the command line. The offline guide is the last resort. */
export const choose = (named: Option.Option<ModelId>): Effect.Effect<Choice, ConfigError | UsageError, LocalModels> =>
  Effect.gen(function* () {
    const wanted = yield* orSettings(named)
    if (Option.isSome(wanted)) return { id: wanted.value, notice: undefined }
    return Option.match(yield* detect, {
      onNone: () => ({ id: KnownProviders.offline, notice: noKey }),
      onSome: ({ id, why }) => ({
        id,
        notice: id === preferred ? undefined : sanitizeLine(`${String(id)} is used, since ${why}`),
      }),
    })
  })

const orSettings = (named: Option.Option<ModelId>): Effect.Effect<Option.Option<ModelId>, ConfigError> =>
  Option.isSome(named)
    ? Effect.succeed(named)
    : Effect.map(AppConfig.generationSettings(), (settings) => settings.model)

/** The error if no model is named, and none is available. */
export const noModel = new ModelError({
  model: String(preferred),
  reason: new Unauthorized({ message: "no key is set, and no Ollama answers" }),
})

/** Returns whether an error is `noModel`. After a span it is another object, which has the same reason. */
export const isNoModel = (error: ConfigError | ModelError | UsageError): boolean =>
  "reason" in error && error.reason === noModel.reason

/** The offline guide would answer a question with calls of tools that are not there. */
const onlyExplores = new UsageError({
  message:
    "the offline guide answers no questions, it only explores (vibe index): name a model with --model " +
    "('vibe models' lists them, and those of Ollama need no key)",
})

/** Fails for the offline guide. */
export const requireAnswering = (id: ModelId): Effect.Effect<ModelId, UsageError> =>
  id.provider === KnownProviders.offline.provider ? onlyExplores : Effect.succeed(id)

/** The same for a conversation: without an available model it fails, since the offline guide only explores. */
export const chooseForConversation = (
  named: Option.Option<ModelId>,
): Effect.Effect<ModelId, ConfigError | ModelError | UsageError, LocalModels> =>
  Effect.gen(function* () {
    const wanted = yield* orSettings(named)
    if (Option.isSome(wanted)) return yield* requireAnswering(wanted.value)
    return yield* Option.match(yield* detect, { onNone: () => noModel, onSome: ({ id }) => Effect.succeed(id) })
  })

export const layer = (
  id: ModelId,
): Layer.Layer<LanguageModel.LanguageModel, ConfigError | ModelError, ModelRegistry.ModelRegistry> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.flatMap(ModelRegistry.ModelRegistry, (registry) => registry.open(id)),
  )

const unnamedRecording = new UsageError({ message: "the recording does not name its model: name it with --model" })

interface Detected {
  readonly id: ModelId
  readonly why: string
}

/**
 * Finds the recording's model, or else that of the first key that is set, or else the first model of a local Ollama.
 */
const detect: Effect.Effect<Option.Option<Detected>, ConfigError | UsageError, LocalModels> = Effect.gen(function* () {
  const { replayed } = yield* Transport
  if (replayed !== undefined) {
    const { model } = replayed
    return model === undefined ? yield* unnamedRecording : Option.some({ id: model, why: "it was recorded" })
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
  const local = yield* LocalModels
  const [id] = Option.getOrElse(yield* local.all, () => [])
  return id === undefined ? Option.none() : Option.some({ id, why: "it is here" })
})
