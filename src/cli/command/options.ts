/** Options that several commands share. */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Settings from "../../config/Settings.ts"
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
export const amount = (name: string, isAllowed: (amount: number) => boolean, allowed: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("N"),
    Options.filterMap(
      (text) => Option.liftPredicate(Number(text), (amount) => text.trim() !== "" && isAllowed(amount)),
      `option '--${name}' takes ${allowed}`,
    ),
    Options.optional,
  )

/** On what terms models are asked: `AppConfig.Terms`, but for the tokens of a run, whose name is the command's. */
export const terms = {
  maxRetries: amount(
    "max-retries",
    (amount) => Number.isSafeInteger(amount) && amount >= 0 && amount <= Settings.MAX_RETRIES,
    `a whole number from 0 to ${Settings.MAX_RETRIES}`,
  ).pipe(Options.withDescription("How often to ask a provider again that fails (default: 3)")),
  maxWait: amount("max-wait", (amount) => Number.isFinite(amount) && amount >= 0, "seconds, a number from 0").pipe(
    Options.withDescription("The longest wait before that, in seconds (default: 60)"),
  ),
  maxCost: amount("max-cost", (amount) => Number.isFinite(amount) && amount >= 0, "US dollars, a number from 0").pipe(
    Options.withPseudoName("USD"),
    Options.withDescription("What the run may cost: a call that would pass it is not made"),
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

export const runTokens = (name: "max-tokens" | "max-run-tokens") =>
  amount(name, (amount) => Number.isSafeInteger(amount) && amount >= 1, "a number from 1").pipe(
    Options.withDescription("The most tokens the run may read and write in all"),
  )

/** Who answers, and how. */
export const drawing = {
  models: model.pipe(
    Options.repeated,
    Options.mapEffect((typed) => Effect.forEach(typed, modelId)),
    Options.withDescription(
      "Who answers, as 'vibe models' lists them, or scripted/FILE.json; several answer side by side",
    ),
  ),
  temperature: amount("temperature", (amount) => amount >= 0, "a number from 0").pipe(
    Options.withDescription("How freely to answer, as far as the provider goes (default: its own)"),
  ),
  maxTokens: amount("max-tokens", (amount) => Number.isSafeInteger(amount) && amount >= 1, "a number from 1").pipe(
    Options.withDescription("The most tokens of an answer (default: the model's)"),
  ),
  preset: Options.text("preset").pipe(
    Options.withPseudoName("NAME"),
    Options.optional,
    Options.withDescription("What holds where it is not said here: [presets.NAME] of a configuration file"),
  ),
}
