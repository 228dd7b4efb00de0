/** `vibe config`: what is set, and where. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json } from "../arguments/options.ts"

const path = Options.boolean("path").pipe(Options.withDescription("Print only the path of your configuration file"))

const flags = { path, json }

export type Input = InputOf<typeof flags>

export const config = lazy("config", flags, () => import("./run.ts")).pipe(
  Command.withDescription("Print the settings in effect and where each comes from"),
)

export const examples = ["vibe config", "vibe config --json", '"$EDITOR" "$(vibe config --path)"']
