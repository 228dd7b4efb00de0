/** Options of the commands that ask models. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import type * as AppConfig from "../../config/AppConfig.ts"
import * as ModelId from "../../message/ModelId.ts"
import { MAX_PARALLEL, MAX_RETRIES } from "../../model/Retry.ts"
import { number, optional, type Parameter, parse, type Range, repeated, text, whole, withAlias } from "./Parameter.ts"

/** An option with the id of a model, which must be given. */
export const modelNamed = (name: string, description: string): Parameter<ModelId.ModelId> =>
  parse(text(name, "PROVIDER/NAME", description), ModelId.parse)

/** `--model`, `-m`. */
export const model = (description: string): Parameter<ModelId.ModelId> =>
  withAlias(modelNamed("model", description), "m")

const atLeastZero = (allowed: string): Range => ({
  isAllowed: (amount) => Number.isFinite(amount) && amount >= 0,
  allowed,
})

/** How many requests are sent at the same time. */
export const parallelRange: Range = {
  isAllowed: whole(1, MAX_PARALLEL).isAllowed,
  allowed: `a whole number from 1 to ${MAX_PARALLEL}`,
}

/** Retries, limits and recording of the requests to providers: `AppConfig.RequestPolicy`. */
export const requestPolicy = {
  maxRetries: number(
    "max-retries",
    { ...whole(0, MAX_RETRIES), allowed: `a whole number from 0 to ${MAX_RETRIES}` },
    "Send a failed request again up to N times (default: 3)",
  ),
  maxWait: number(
    "max-wait",
    atLeastZero("seconds, a number from 0"),
    "Wait at most N seconds between two attempts (default: 60)",
  ),
  maxCost: {
    ...number(
      "max-cost",
      atLeastZero("US dollars, a number from 0"),
      "Stop before the request with which the run would cost more",
    ),
    value: "USD",
  },
  maxRunTokens: number("max-run-tokens", whole(1), "Stop before the request with which the run would use more tokens"),
  record: optional(text("record", "DIR", "Write every exchange with a provider to this folder, without keys")),
  replay: optional(text("replay", "DIR", "Answer from the exchanges in this folder: no network, no key")),
}

/**
 * Fails if an option of `requestPolicy` is given to a command whose `--model` is not: it says how a model is
 * requested, and would do nothing.
 */
export const requireNoPolicy = (
  command: string,
  { maxCost, maxRetries, maxRunTokens, maxWait, record, replay }: AppConfig.RequestPolicy,
): Effect.Effect<void, UsageError> => {
  const policy = {
    "--max-cost": maxCost,
    "--max-retries": maxRetries,
    "--max-run-tokens": maxRunTokens,
    "--max-wait": maxWait,
    "--record": record,
    "--replay": replay,
  }
  const typed = Object.entries<Option.Option<unknown>>(policy).find(([, value]) => Option.isSome(value))
  return typed === undefined
    ? Effect.void
    : Effect.fail(new UsageError({ message: `option '${typed[0]}' needs '--model'`, command }))
}

/** The models that answer, and how they sample. */
export const answerOptions = {
  models: repeated(model("Ask this model, as 'vibe models' lists it; several answer side by side")),
  temperature: number(
    "temperature",
    { isAllowed: (amount) => amount >= 0, allowed: "a number from 0" },
    "Set the sampling temperature (default: the provider's)",
  ),
  maxTokens: number("max-tokens", whole(1), "Limit the answer to N tokens (default: the model's limit)"),
  preset: optional(text("preset", "NAME", "Use the values of [presets.NAME]; options override them")),
}
