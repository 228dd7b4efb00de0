/** `vibe diff`: what commits changed, by symbols and purposes. */
import * as Command from "../arguments/Command.ts"
import { json, root } from "../arguments/options.ts"
import { operand } from "../arguments/Parameter.ts"

export const diff = Command.declare(
  "diff",
  "Show what commits changed, by symbols and what they are for",
  {
    range: operand("REF", "A commit, branch or tag, up to the working tree; or A..B, the commits of B that A lacks"),
    root,
    json,
  },
  ["vibe diff main", "vibe diff v1.2..v1.3", "vibe diff HEAD~5..HEAD --json"],
)

export type Input = Command.InputOf<typeof diff>
