/** `vibe affected`: the tests that a change reaches. */
import * as Command from "../arguments/Command.ts"
import { json, root } from "../arguments/options.ts"
import { flag, operand, repeated } from "../arguments/Parameter.ts"

export const affected = Command.declare(
  "affected",
  "Print the tests that a change reaches",
  {
    change: repeated(
      operand(
        "REF|FILES",
        "A commit, branch or tag, up to the working tree (default: HEAD); or A..B; or files that count as changed",
      ),
    ),
    strict: flag("strict", "End with exit code 1 if the change may reach tests that cannot be known"),
    root,
    json,
  },
  ["vibe affected", "vibe affected main", "npx vitest run $(vibe affected main)", "vibe affected src/auth.ts --json"],
)

export type Input = Command.InputOf<typeof affected>
