/** `vibe models`: lists providers and models. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json } from "../arguments/options.ts"

const filter = Args.text({ name: "FILTER" }).pipe(
  Args.withDescription("A provider, a model, or words in its name (default: the models that vibe can ask)"),
  Args.withDefault(""),
)

const refresh = Options.boolean("refresh").pipe(
  Options.withDescription("Fetch the current list of models.dev and store it"),
)

const check = Options.boolean("check").pipe(
  Options.withDescription("Send a test request to one model of each available provider"),
)

const config = { filter, refresh, check, json }

export type Input = InputOf<typeof config>

export const models = lazy("models", config, () => import("./run.ts")).pipe(
  Command.withDescription("List providers and models with context, price and deprecation"),
)

export const examples = [
  "vibe models",
  "vibe models google",
  "vibe models gemini-3.5-flash",
  "vibe models --check",
  "vibe models --check openai/gpt-5.4-mini",
  "vibe models --refresh --json claude",
]
