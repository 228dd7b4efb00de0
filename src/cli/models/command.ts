/** `vibe models`: lists providers and models. */
import * as Command from "../arguments/Command.ts"
import { json } from "../arguments/options.ts"
import { flag, operand, withDefault } from "../arguments/Parameter.ts"

export const models = Command.declare(
  "models",
  "List providers and models with context, price and deprecation",
  {
    filter: withDefault(
      operand("FILTER", "A provider, a model, or words in its name (default: the models that vibe can ask)"),
      "",
    ),
    refresh: flag("refresh", "Fetch the current list of models.dev and store it"),
    check: flag("check", "Send a test request to one model of each available provider"),
    json,
  },
  [
    "vibe models",
    "vibe models google",
    "vibe models gemini-3.5-flash",
    "vibe models --check",
    "vibe models --check openai/gpt-5.4-mini",
    "vibe models --refresh --json claude",
  ],
)

export type Input = Command.InputOf<typeof models>
