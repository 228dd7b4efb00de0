/** `vibe status`: the state of the index. */
import * as Command from "@effect/cli/Command"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { folder, json, root } from "../arguments/options.ts"

const config = { path: folder, root, json }

export type Input = InputOf<typeof config>

export const status = lazy("status", config, () => import("./run.ts")).pipe(
  Command.withDescription("Show how much is indexed and explained"),
)

export const examples = ["vibe status", "vibe status ../project --json"]
