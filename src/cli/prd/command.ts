/** `vibe prd`: a Product Requirements Document, written in a conversation. */
import * as Command from "../arguments/Command.ts"
import { all, sessionOptions, systemOptions } from "../arguments/options.ts"
import { flag, number, operand, repeated, text, whole, withAlias, withDefault } from "../arguments/Parameter.ts"

export const prd = Command.declare(
  "prd",
  "Write a PRD with a model or an agent, and make tasks of it",
  {
    words: repeated(operand("WORDS", "What to build; with --show and --diff, nodes as --list prints them")),
    output: withDefault(
      withAlias(text("output", "DIR", "Save the PRD and its tasks in this folder (default: ./tasks)"), "o"),
      "./tasks",
    ),
    stories: number(
      "stories",
      { ...whole(1, 100), allowed: "a whole number from 1 to 100" },
      "Ask for about N user stories",
    ),
    ...systemOptions,
    all,
    list: flag("list", "List every version of your PRDs, newest first"),
    show: flag("show", "Print one version (default: the newest)"),
    diff: flag("diff", "Print the changes between two versions (default: the last two)"),
    ...sessionOptions,
  },
  ['vibe prd "Dark mode"', "vibe prd --agent claude --stories 5", "vibe prd --list", "vibe prd --diff"],
)

export type Input = Command.InputOf<typeof prd>
