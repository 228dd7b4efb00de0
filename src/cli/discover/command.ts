/** `vibe discover`: an interview about a codebase, which ends in files. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { systemOptions } from "../arguments/options.ts"
import { search, sessionOptions } from "../session/options.ts"

const config = {
  words: Args.text({ name: "PROBLEM" }).pipe(
    Args.withDescription("What you want done, in a sentence or two"),
    Args.atLeast(1),
    Args.withDefault([]),
  ),
  codebase: Options.text("codebase").pipe(
    Options.withPseudoName("DIR"),
    Options.withDefault("."),
    Options.withDescription("Talk about this folder (default: the current one)"),
  ),
  output: Options.text("output").pipe(
    Options.withAlias("o"),
    Options.withPseudoName("DIR"),
    Options.withDefault("./jobs/"),
    Options.withDescription("Write files in this folder only (default: ./jobs/)"),
  ),
  ...systemOptions,
  list: Options.boolean("list").pipe(Options.withDescription("List your interviews about this folder, newest first")),
  search,
  ...sessionOptions,
}

export type Input = InputOf<typeof config>

export const discover = lazy("discover", config, () => import("./run.ts")).pipe(
  Command.withDescription("Describe a job in an interview, which ends in documents"),
)

export const examples = [
  "vibe discover",
  "vibe discover --codebase ../shop --output ./jobs/ 'Search is too slow'",
  "vibe discover --system-file jtbd.md --resume",
]
