/** `vibe merge-driver`: merges `purposes.jsonl` for Git. */
import * as Command from "../arguments/Command.ts"
import { root } from "../arguments/options.ts"
import { flag, operand, optional } from "../arguments/Parameter.ts"

export const mergeDriver = Command.declare(
  "merge-driver",
  "Merge purposes.jsonl without conflicts, for Git; alone, say how to set it up",
  {
    ancestor: optional(operand("ANCESTOR", "The file as it was where the branches parted (%O)")),
    ours: optional(operand("OURS", "The file of this branch (%A), which gets the result")),
    theirs: optional(operand("THEIRS", "The file of the other branch (%B)")),
    install: flag("install", "Set it up in this clone: .git/config and .gitattributes"),
    root,
  },
  ["vibe merge-driver", "vibe merge-driver --install", "vibe merge-driver %O %A %B"],
)

export type Input = Command.InputOf<typeof mergeDriver>
