/** `vibe models --check`: sends a small request to one model of each available provider. */
import * as Clock from "effect/Clock"
import type { ConfigError } from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { endWith, mapInParallel } from "../../base/concurrency.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import * as AppConfig from "../../config/AppConfig.ts"
import * as KnownProviders from "../../config/KnownProviders.ts"
import * as ProviderConfig from "../../config/ProviderConfig.ts"
import * as Message from "../../message/Message.ts"
import * as ModelId from "../../message/ModelId.ts"
import * as ModelCatalog from "../../model/ModelCatalog.ts"
import { ModelError, TimedOut } from "../../model/ModelError.ts"
import * as ModelRegistry from "../../model/ModelRegistry.ts"
import type { Request } from "../../model/Request.ts"
import { RetryPolicy } from "../../model/Retry.ts"
import * as ServerModels from "../../model/ServerModels.ts"
import * as Failure from "../Failure.ts"
import * as ModelList from "./ModelList.ts"

interface Check {
  readonly model: ModelId.ModelId
  /** The time until the answer, or the error. */
  readonly answer: Either.Either<Duration.Duration, ConfigError | ModelError>
}

interface Checks {
  readonly checks: ReadonlyArray<Check>
  /** The user's own servers that are available, but have no known model. */
  readonly unknown: ReadonlyArray<string>
}

/**
 * Checks one model of each available provider: the configured model, or else the default one, or else the cheapest.
 * Only models with every word in their id count. One word that is a whole id also names a model that the catalogue
 * lacks.
 */
export const checkAll = Effect.fn("ModelCheck.checkAll")(function* (words: ReadonlyArray<string>) {
  const local = yield* ServerModels.LocalModels
  const registry = yield* ModelRegistry.ModelRegistry
  const { model } = yield* AppConfig.generationSettings()
  const theirs = yield* availableProviders
  const known = yield* candidateModels(theirs)
  const pulled = Option.getOrElse(yield* local.all, () => [])
  const listed = ServerModels.answered(yield* (yield* ServerModels.ServerModels).all)
  const models = [...Option.toArray(model), ...known, ...listed, ...pulled]
  const matching = models.filter((id) => ModelList.hasAllWords(words, id))
  const named = parseExactName(words, registry.providers)
  const exact = matching.filter((id) => named.some((other) => String(other) === String(id)))
  const asked = matching.length === 0 ? named : [...exact, ...matching]
  const first = asked.filter(({ provider }, at) => asked.findIndex((other) => other.provider === provider) === at)
  const checks = yield* mapInParallel(first, checkModel)
  const own = theirs.filter((name) => !KnownProviders.names.includes(name))
  const unknown = own.filter((name) => words.length === 0 && !models.some(({ provider }) => provider === name))
  return { checks, unknown } satisfies Checks
})

/** Says how to check a server whose models are unknown. */
export const noneKnown = (provider: string): string =>
  `no model of ${provider} is known; 'vibe models --check ${provider}/NAME' asks one`

/** Formats `google/gemini-2.5-flash answers (0.8 s)`, or the reason why it does not. */
export const text = (checks: ReadonlyArray<Check>): string => {
  const width = Math.max(...checks.map(({ model }) => String(model).length))
  return checks
    .map(({ answer, model }) =>
      sanitizeLine(
        `${String(model).padEnd(width)}  ${Either.match(answer, { onLeft: describeFailure, onRight: describeAnswer })}`,
      ),
    )
    .join("\n")
}

export const object = (checks: ReadonlyArray<Check>): object => ({
  checks: checks.map(({ answer, model }) => ({
    model: String(model),
    ...Either.match(answer, {
      onLeft: Failure.toJson,
      onRight: (time) => ({ milliseconds: Math.round(Duration.toMillis(time)) }),
    }),
  })),
})

const describeAnswer = (time: Duration.Duration): string => `answers (${Duration.toSeconds(time).toFixed(1)} s)`

/** An error on one line. */
export const describeFailure = (error: ConfigError | ModelError): string =>
  Failure.line(error)
    .split("\n")[0]
    ?.replace(/^vibe: /, "") ?? ""

/** The request costs next to nothing. A reasoning model may hit the output limit, which also proves that it answers. */
const question: Request = { system: "", messages: [Message.user("Say OK.")], tools: [], maxOutputTokens: 16 }

/** The longest wait for the answer to one request. */
const TIMEOUT = Duration.seconds(30)

const checkModel = (model: ModelId.ModelId): Effect.Effect<Check, never, ModelRegistry.ModelRegistry> =>
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
    endWith(
      Effect.zipRight(
        Effect.sleep(TIMEOUT),
        new ModelError({
          model: String(model),
          reason: new TimedOut({ message: `does not answer within ${Duration.format(TIMEOUT)}` }),
        }),
      ),
    ),
    Effect.provideService(RetryPolicy, { maxRetries: 0, maxWait: Duration.zero }),
    Effect.either,
    Effect.map((answer) => ({ model, answer })),
  )

/** Returns the model whose whole id is the only word, if its provider exists. */
const parseExactName = ([word = "", ...more]: ReadonlyArray<string>, providers: ReadonlyArray<string>) =>
  more.length > 0 || !word.includes("/")
    ? []
    : Option.toArray(Either.getRight(ModelId.parse(word))).filter(({ provider }) => providers.includes(provider))

/** Providers with a key that is set, and the user's own servers that need none. */
const availableProviders = Effect.gen(function* () {
  const wanted = yield* ProviderConfig.allKeys
  const theirs = yield* Effect.filter(wanted, ([, wanted]) =>
    wanted === undefined ? Effect.succeed(true) : Effect.map(wanted.key, Option.isSome),
  )
  return theirs.map(([provider]) => provider)
})

/** The models to try, best first. */
const candidateModels = Effect.fnUntraced(function* (providers: ReadonlyArray<string>) {
  const catalog = yield* ModelCatalog.ModelCatalog
  const known = yield* catalog.all
  return providers.flatMap((provider) => {
    const usual = KnownProviders.findDefaultModel(provider)
    return [...(usual === undefined ? [] : [usual]), ...cheapestFirst(known, provider)]
  })
})

const cheapestFirst = (
  known: ReadonlyArray<ModelCatalog.ModelInfo>,
  provider: string,
): ReadonlyArray<ModelId.ModelId> =>
  known
    .filter(({ entry, id }) => id.provider === provider && entry.modalities?.output.includes("text") !== false)
    .sort((one, other) => (one.entry.price?.output ?? 1e9) - (other.entry.price?.output ?? 1e9))
    .map(({ id }) => id)
