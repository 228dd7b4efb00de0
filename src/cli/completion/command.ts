/** `vibe completion`: the script with which a shell completes command lines. */
import * as Command from "../arguments/Command.ts"
import { operand, repeated } from "../arguments/Parameter.ts"

export const completion = Command.declare(
  "completion",
  "Print a script that completes commands, options and names",
  {
    // The words after the shell come from its script: those typed so far, each after a `=`.
    words: repeated(operand("SHELL", "bash, zsh or fish (default: bash)")),
  },
  ['eval "$(vibe completion bash)"', 'eval "$(vibe completion zsh)"', "vibe completion fish | source"],
)

export type Input = Command.InputOf<typeof completion>
