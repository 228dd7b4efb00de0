/** `vibe models`: the models there are, and what is known of them. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json } from "../arguments/options.ts"

const filter = Args.text({ name: "FILTER" }).pipe(
  Args.withDescription("A part of a name, or several in quotes (default: the models that vibe can ask)"),
  Args.withDefault(""),
)

const refresh = Options.boolean("refresh").pipe(
  Options.withDescription("Fetch what models.dev knows now, and keep it for this user"),
)

const check = Options.boolean("check").pipe(
  Options.withDescription(
    "Ask one model of each provider that can be had, of those that FILTER names, a tiny question, and say whether it answers",
  ),
)

const config = { filter, refresh, check, json }

export type Input = InputOf<typeof config>

export const models = lazy("models", config, () => import("./run.ts")).pipe(
  Command.withDescription("List providers, whether their key is set, and models: window, price, deprecation"),
)

export const examples = [
  "vibe models",
  "vibe models flash",
  "vibe models --check",
  "vibe models --check openai/gpt-5.4-mini",
  "vibe models --refresh --json claude",
]
