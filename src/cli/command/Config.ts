/** `vibe config`: what is set, and where. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { json } from "./options.ts"

const path = Options.boolean("path").pipe(
  Options.withDescription("Print the path of your configuration file alone, whether it is there or not"),
)

export const config = Command.make("config", { path, json }).pipe(
  Command.withDescription("Show the settings that hold here, and where each comes from; keys are never shown"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe config", "vibe config --json", '"$EDITOR" "$(vibe config --path)"']

const job = Effect.promise(() => import("../job/Config.ts"))
