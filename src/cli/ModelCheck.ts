/** Whether models can be had: one tiny question to one of each provider's. */
import * as Clock from "effect/Clock"
import type { ConfigError } from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AppConfig from "../config/AppConfig.ts"
import * as ProviderConfig from "../config/ProviderConfig.ts"
import * as Message from "../message/Message.ts"
import type { ModelId } from "../message/ModelId.ts"
import { printableLine } from "../message/Printable.ts"
import * as LocalModels from "../model/LocalModels.ts"
import * as ModelCatalog from "../model/ModelCatalog.ts"
import { ModelError, TimedOut } from "../model/ModelError.ts"
import * as ModelRegistry from "../model/ModelRegistry.ts"
import { Patience } from "../model/Patience.ts"
import type { Request } from "../model/Request.ts"
import * as ChosenModel from "./ChosenModel.ts"
import * as Render from "./Render.ts"

export interface Check {
  readonly model: ModelId
  /** How long it took to answer, or why it did not. */
  readonly answer: Either.Either<Duration.Duration, ConfigError | ModelError>
}

/** Of the provider of each key that is set, and of a server of one's own: the model that is set, else the usual one. */
export const all = Effect.gen(function* () {
  const local = yield* LocalModels.LocalModels
  const { model } = yield* AppConfig.asking()
  const [pulled] = Option.getOrElse(yield* local.all, () => [])
  const models = [...Option.toArray(model), ...(yield* withKeys), ...(pulled === undefined ? [] : [pulled])]
  const first = models.filter(({ provider }, at) => models.findIndex((other) => other.provider === provider) === at)
  return yield* Effect.forEach(first, check, { concurrency: "unbounded" })
})

/** `google/gemini-2.5-flash  answers (0.8 s)`, or why not. */
export const text = (checks: ReadonlyArray<Check>): string => {
  const width = Math.max(...checks.map(({ model }) => String(model).length))
  return checks
    .map(({ answer, model }) =>
      printableLine(`${String(model).padEnd(width)}  ${Either.match(answer, { onLeft: failed, onRight: answered })}`),
    )
    .join("\n")
}

export const object = (checks: ReadonlyArray<Check>): object => ({
  checks: checks.map(({ answer, model }) => ({
    model: String(model),
    ...Either.match(answer, {
      onLeft: Render.failureObject,
      onRight: (time) => ({ milliseconds: Math.round(Duration.toMillis(time)) }),
    }),
  })),
})

const answered = (time: Duration.Duration): string => `answers (${Duration.toSeconds(time).toFixed(1)} s)`

const failed = (error: ConfigError | ModelError): string =>
  Render.failure(error)
    .split("\n")[0]
    ?.replace(/^vibe: /, "") ?? ""

/** A question that costs next to nothing. One that thinks first may need more than that for an answer: it is there. */
const question: Request = { system: "", messages: [Message.user("Say OK.")], tools: [], maxOutputTokens: 16 }

/** Nobody waits longer for that. */
const patience = Duration.seconds(30)

const check = (model: ModelId): Effect.Effect<Check, never, ModelRegistry.ModelRegistry> =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const registry = yield* ModelRegistry.ModelRegistry
    const { generate } = yield* registry.open(model)
    yield* Effect.catchIf(
      generate(question),
      ({ reason }) => reason._tag === "OutputLimit",
      () => Effect.void,
    )
    return Duration.millis((yield* Clock.currentTimeMillis) - begun)
  }).pipe(
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () =>
        new ModelError({
          model: String(model),
          reason: new TimedOut({ message: `does not answer within ${Duration.format(patience)}` }),
        }),
    }),
    Effect.provideService(Patience, { maxRetries: 0, maxWait: Duration.zero }),
    Effect.either,
    Effect.map((answer) => ({ model, answer })),
  )

const withKeys = Effect.gen(function* () {
  const catalog = yield* ModelCatalog.ModelCatalog
  const known = yield* catalog.all
  const models: Array<ModelId> = []
  for (const [provider, { key }] of Object.entries(ProviderConfig.keys)) {
    if (Option.isNone(yield* key)) continue
    const model = ChosenModel.usualOf(provider) ?? cheapest(known, provider)
    if (model !== undefined) models.push(model)
  }
  return models
})

const cheapest = (known: ReadonlyArray<ModelCatalog.Known>, provider: string): ModelId | undefined =>
  known
    .filter(({ entry, id }) => id.provider === provider && entry.modalities?.output.includes("text") !== false)
    .sort((one, other) => (one.entry.price?.output ?? 1e9) - (other.entry.price?.output ?? 1e9))[0]?.id
