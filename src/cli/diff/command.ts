/** `vibe diff`: what commits changed, by symbols and purposes. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { folder, json, root } from "../arguments/options.ts"

const range = Args.text({ name: "REF" }).pipe(
  Args.withDescription(
    "A commit, branch or tag, up to the working tree (default: HEAD); or A..B, the commits of B that A lacks",
  ),
  Args.withDefault("HEAD"),
)

const config = { range, path: folder, root, json }

export type Input = InputOf<typeof config>

export const diff = lazy("diff", config, () => import("./run.ts")).pipe(
  Command.withDescription("Show what commits changed, by symbols and what they are for"),
)

export const examples = ["vibe diff", "vibe diff main", "vibe diff v1.2..v1.3", "vibe diff HEAD~5..HEAD --json"]
