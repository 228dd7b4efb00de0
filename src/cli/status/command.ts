/** `vibe status`: the state of the index. */
import * as Command from "../arguments/Command.ts"
import { json, root } from "../arguments/options.ts"

export const status = Command.declare("status", "Show how much is indexed and explained", { root, json }, [
  "vibe status",
  "vibe status --root ../project --json",
])

export type Input = Command.InputOf<typeof status>
