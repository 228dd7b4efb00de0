/** `vibe completion`: the script with which a shell completes command lines. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import { type InputOf, lazy } from "../arguments/lazy.ts"

/** What follows the shell is from its script: the words typed so far, each after a `=`. */
const words = Args.text({ name: "SHELL" }).pipe(
  Args.withDescription("bash, zsh or fish (default: bash)"),
  Args.atLeast(1),
  Args.withDefault([]),
)

const config = { words }

export type Input = InputOf<typeof config>

export const completion = lazy("completion", config, () => import("./run.ts")).pipe(
  Command.withDescription("Print a script that completes commands, options and names"),
)

export const examples = [
  'eval "$(vibe completion bash)"',
  'eval "$(vibe completion zsh)"',
  "vibe completion fish | source",
]
