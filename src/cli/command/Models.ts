/** `vibe models`: the models there are, and what is known of them. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { json } from "./options.ts"

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

export const models = Command.make("models", { filter, refresh, check, json }).pipe(
  Command.withDescription("List providers, whether their key is set, and models: window, price, deprecation"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = [
  "vibe models",
  "vibe models flash",
  "vibe models --check",
  "vibe models --check openai/gpt-5.4-mini",
  "vibe models --refresh --json claude",
]

const job = Effect.promise(() => import("../job/Models.ts"))
