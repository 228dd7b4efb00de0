/** `vibe prd`: a Product Requirements Document, written in a conversation. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { numberOption, systemOptions } from "../arguments/options.ts"
import { all, sessionOptions } from "../session/options.ts"

const config = {
  words: Args.text({ name: "WORDS" }).pipe(
    Args.withDescription("What to build; with --show and --diff, nodes as --list prints them"),
    Args.atLeast(1),
    Args.withDefault([]),
  ),
  output: Options.text("output").pipe(
    Options.withAlias("o"),
    Options.withPseudoName("DIR"),
    Options.withDefault("./tasks"),
    Options.withDescription("Save the PRD and its tasks in this folder (default: ./tasks)"),
  ),
  stories: numberOption(
    "stories",
    (amount) => Number.isSafeInteger(amount) && amount >= 1 && amount <= 100,
    "a whole number from 1 to 100",
  ).pipe(Options.withDescription("Ask for about N user stories")),
  ...systemOptions,
  all,
  list: Options.boolean("list").pipe(Options.withDescription("List every version of your PRDs, newest first")),
  show: Options.boolean("show").pipe(Options.withDescription("Print one version (default: the newest)")),
  diff: Options.boolean("diff").pipe(
    Options.withDescription("Print the changes between two versions (default: the last two)"),
  ),
  ...sessionOptions,
}

export type Input = InputOf<typeof config>

export const prd = lazy("prd", config, () => import("./run.ts")).pipe(
  Command.withDescription("Write a PRD with a model or an agent, and make tasks of it"),
)

export const examples = [
  'vibe prd "Dark mode"',
  "vibe prd --agent claude --stories 5",
  "vibe prd --list",
  "vibe prd --diff",
]
