/** `vibe check`: what a change did to purposes. */
import * as Command from "../arguments/Command.ts"
import { model, requestPolicy } from "../arguments/modelOptions.ts"
import { folder, json, root } from "../arguments/options.ts"
import { flag, optional, text } from "../arguments/Parameter.ts"

export const check = Command.declare(
  "check",
  "Find purposes made stale by a change, and symbols without one",
  {
    path: folder,
    base: optional(
      text("base", "REF", "Check what has changed since this commit (default: the upstream, else the last one)"),
    ),
    strict: flag("strict", "End with exit code 1 if anything is found"),
    fix: flag("fix", "Sort purposes.jsonl first, and drop duplicates and markers of conflicts"),
    model: optional(model("Let this model say which touched statements of the wiki are untrue")),
    root,
    json,
    sarif: flag("sarif", "Print a SARIF 2.1.0 log on stdout"),
    ...requestPolicy,
  },
  ["vibe check", "vibe check --base origin/main --strict", "vibe check --base origin/main --sarif > vibe.sarif"],
)

export type Input = Command.InputOf<typeof check>
