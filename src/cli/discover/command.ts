/** `vibe discover`: an interview about a codebase, which ends in files. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
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
    Options.withDescription("The folder that is talked about (default: this one)"),
  ),
  output: Options.text("output").pipe(
    Options.withAlias("o"),
    Options.withPseudoName("DIR"),
    Options.withDefault("./jobs/"),
    Options.withDescription("The only folder that files are written in (default: ./jobs/)"),
  ),
  prompt: Options.text("prompt").pipe(
    Options.withPseudoName("FILE"),
    Options.optional,
    Options.withDescription("A file that holds the system prompt, in place of the one that is built in"),
  ),
  list: Options.boolean("list").pipe(Options.withDescription("List your interviews about this folder, newest first")),
  search,
  ...sessionOptions,
}

export type Input = InputOf<typeof config>

export const discover = lazy("discover", config, () => import("./run.ts")).pipe(
  Command.withDescription("Be interviewed about something you want done; what comes of it are documents"),
)

export const examples = [
  "vibe discover",
  "vibe discover --codebase ../shop --output ./jobs/ 'Search is too slow'",
  "vibe discover --prompt jtbd.md --resume",
]
