/** Options that several commands share. */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AppConfig from "../../config/AppConfig.ts"
import * as ModelId from "../../message/ModelId.ts"

export const json = Options.boolean("json").pipe(Options.withDescription("Print one JSON object on stdout"))

export const root = Options.text("root").pipe(
  Options.withPseudoName("DIR"),
  Options.optional,
  Options.withDescription("The indexed folder (default: the nearest one with a .vibe, from here upwards)"),
)

/** `PROVIDER/NAME`, as it is typed: see `modelId`. */
export const model = Options.text("model").pipe(Options.withAlias("m"), Options.withPseudoName("PROVIDER/NAME"))

export const modelId = (text: string): Either.Either<ModelId.ModelId, ValidationError.ValidationError> =>
  Either.mapLeft(ModelId.parse(text), (message) => ValidationError.invalidValue(HelpDoc.p(message)))

/** A number that is typed; `allowed` says in words which ones. */
export const numberOption = (name: string, isAllowed: (amount: number) => boolean, allowed: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("N"),
    Options.filterMap(
      (text) => Option.liftPredicate(Number(text), (amount) => text.trim() !== "" && isAllowed(amount)),
      `option '--${name}' takes ${allowed}`,
    ),
    Options.optional,
  )

const tokens = (name: "max-tokens" | "max-run-tokens") =>
  numberOption(name, (amount) => Number.isSafeInteger(amount) && amount >= 1, "a number from 1")

/** Retries, limits and recording of the requests to providers: `AppConfig.RequestPolicy`. */
export const requestPolicy = {
  maxRetries: numberOption(
    "max-retries",
    (amount) => Number.isSafeInteger(amount) && amount >= 0 && amount <= AppConfig.MAX_RETRIES,
    `a whole number from 0 to ${AppConfig.MAX_RETRIES}`,
  ).pipe(Options.withDescription("How often to ask a provider again that fails (default: 3)")),
  maxWait: numberOption(
    "max-wait",
    (amount) => Number.isFinite(amount) && amount >= 0,
    "seconds, a number from 0",
  ).pipe(Options.withDescription("The longest wait before that, in seconds (default: 60)")),
  maxCost: numberOption(
    "max-cost",
    (amount) => Number.isFinite(amount) && amount >= 0,
    "US dollars, a number from 0",
  ).pipe(
    Options.withPseudoName("USD"),
    Options.withDescription("What the run may cost: a call that would pass it is not made"),
  ),
  maxRunTokens: tokens("max-run-tokens").pipe(
    Options.withDescription("The most tokens the run may read and write in all"),
  ),
  record: Options.text("record").pipe(
    Options.withPseudoName("DIR"),
    Options.optional,
    Options.withDescription("Write every exchange with a provider to this folder, without keys"),
  ),
  replay: Options.text("replay").pipe(
    Options.withPseudoName("DIR"),
    Options.optional,
    Options.withDescription("Answer from the exchanges in this folder: no network, no key"),
  ),
}

/** The models that answer, and how they sample. */
export const answerOptions = {
  models: model.pipe(
    Options.repeated,
    Options.mapEffect((typed) => Effect.forEach(typed, modelId)),
    Options.withDescription(
      "Who answers, as 'vibe models' lists them, or scripted/FILE.json; several answer side by side",
    ),
  ),
  temperature: numberOption("temperature", (amount) => amount >= 0, "a number from 0").pipe(
    Options.withDescription("How freely to answer, as far as the provider goes (default: its own)"),
  ),
  maxTokens: tokens("max-tokens").pipe(Options.withDescription("The most tokens of an answer (default: the model's)")),
  preset: Options.text("preset").pipe(
    Options.withPseudoName("NAME"),
    Options.optional,
    Options.withDescription("What holds where it is not said here: [presets.NAME] of a configuration file"),
  ),
}

const forest = Options.text("forest").pipe(
  Options.withPseudoName("FILE"),
  Options.optional,
  Options.withDescription("The file that holds the forest (default: the one of this user)"),
)

const ephemeral = Options.boolean("ephemeral").pipe(
  Options.withDescription("Take a forest in memory, which is gone at the end"),
)

/** Where conversations are stored, and the format of what is printed. */
export const forestOptions = { forest, ephemeral, json }
