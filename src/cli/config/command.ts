/** `vibe config`: lists the settings, with their sources. */
import * as Command from "../arguments/Command.ts"
import { json } from "../arguments/options.ts"
import { flag } from "../arguments/Parameter.ts"

export const config = Command.declare(
  "config",
  "Print the settings in effect and where each comes from",
  { path: flag("path", "Print only the path of your configuration file"), json },
  ["vibe config", "vibe config --json", '"$EDITOR" "$(vibe config --path)"'],
)

export type Input = Command.InputOf<typeof config>
