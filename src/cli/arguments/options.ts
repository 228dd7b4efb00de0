/** Options that several commands share. */

import * as Args from "@effect/cli/Args"
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
  Options.withDescription("Use the index of this folder (default: the nearest .vibe, upwards)"),
)

/** A folder in place of `root`. */
export const folder = Args.text({ name: "PATH" }).pipe(
  Args.optional,
  Args.withDescription("A folder of the project (default: the current one)"),
)

/** `PROVIDER/NAME`, as it is typed: see `modelId`. */
export const model = Options.text("model").pipe(Options.withAlias("m"), Options.withPseudoName("PROVIDER/NAME"))

export const modelId = (text: string): Either.Either<ModelId.ModelId, ValidationError.ValidationError> =>
  Either.mapLeft(ModelId.parse(text), (message) => ValidationError.invalidValue(HelpDoc.p(message)))

/** An option with a number; `allowed` describes the numbers in its error. */
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
  ).pipe(Options.withDescription("Send a failed request again up to N times (default: 3)")),
  maxWait: numberOption(
    "max-wait",
    (amount) => Number.isFinite(amount) && amount >= 0,
    "seconds, a number from 0",
  ).pipe(Options.withDescription("Wait at most N seconds between two attempts (default: 60)")),
  maxCost: numberOption(
    "max-cost",
    (amount) => Number.isFinite(amount) && amount >= 0,
    "US dollars, a number from 0",
  ).pipe(
    Options.withPseudoName("USD"),
    Options.withDescription("Stop before the request with which the run would cost more"),
  ),
  maxRunTokens: tokens("max-run-tokens").pipe(
    Options.withDescription("Stop before the request with which the run would use more tokens"),
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

/** The system prompt: see `conversation/SystemPrompt`. */
export const systemOptions = {
  system: Options.text("system").pipe(
    Options.withAlias("s"),
    Options.withPseudoName("TEXT"),
    Options.optional,
    Options.withDescription("Set the system prompt"),
  ),
  systemFile: Options.text("system-file").pipe(
    Options.withPseudoName("FILE"),
    Options.optional,
    Options.withDescription("Read the system prompt from a file"),
  ),
}

/** The models that answer, and how they sample. */
export const answerOptions = {
  models: model.pipe(
    Options.repeated,
    Options.mapEffect((typed) => Effect.forEach(typed, modelId)),
    Options.withDescription("Ask this model, as 'vibe models' lists it; several answer side by side"),
  ),
  temperature: numberOption("temperature", (amount) => amount >= 0, "a number from 0").pipe(
    Options.withDescription("Set the sampling temperature (default: the provider's)"),
  ),
  maxTokens: tokens("max-tokens").pipe(
    Options.withDescription("Limit the answer to N tokens (default: the model's limit)"),
  ),
  preset: Options.text("preset").pipe(
    Options.withPseudoName("NAME"),
    Options.optional,
    Options.withDescription("Use the values of [presets.NAME]; options override them"),
  ),
}

const forest = Options.text("forest").pipe(
  Options.withPseudoName("FILE"),
  Options.optional,
  Options.withDescription("Keep conversations in this file (default: your forest)"),
)

const ephemeral = Options.boolean("ephemeral").pipe(Options.withDescription("Do not store the conversation"))

/** Where conversations are stored, and the format of what is printed. */
export const forestOptions = { forest, ephemeral, json }
