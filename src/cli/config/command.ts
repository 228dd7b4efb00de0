/** `vibe config`: what is set, and where. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json } from "../arguments/options.ts"

const path = Options.boolean("path").pipe(
  Options.withDescription("Print the path of your configuration file alone, whether it is there or not"),
)

const flags = { path, json }

export type Input = InputOf<typeof flags>

export const config = lazy("config", flags, () => import("./run.ts")).pipe(
  Command.withDescription("Show the settings that hold here, and where each comes from; keys are never shown"),
)

export const examples = ["vibe config", "vibe config --json", '"$EDITOR" "$(vibe config --path)"']
