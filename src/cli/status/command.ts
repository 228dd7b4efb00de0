/** `vibe status`: the state of the index. */
import * as Command from "../arguments/Command.ts"
import { folder, json, root } from "../arguments/options.ts"

export const status = Command.declare(
  "status",
  "Show how much is indexed and explained",
  { path: folder, root, json },
  ["vibe status", "vibe status ../project --json"],
)

export type Input = Command.InputOf<typeof status>
