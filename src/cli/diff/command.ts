/** `vibe diff`: what commits changed, by symbols and purposes. */
import * as Command from "../arguments/Command.ts"
import { folder, json, root } from "../arguments/options.ts"
import { operand, withDefault } from "../arguments/Parameter.ts"

export const diff = Command.declare(
  "diff",
  "Show what commits changed, by symbols and what they are for",
  {
    range: withDefault(
      operand(
        "REF",
        "A commit, branch or tag, up to the working tree (default: HEAD); or A..B, the commits of B that A lacks",
      ),
      "HEAD",
    ),
    path: folder,
    root,
    json,
  },
  ["vibe diff", "vibe diff main", "vibe diff v1.2..v1.3", "vibe diff HEAD~5..HEAD --json"],
)

export type Input = Command.InputOf<typeof diff>
