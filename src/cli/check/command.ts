/** `vibe check`: what a change did to purposes. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { folder, json, root } from "../arguments/options.ts"

const base = Options.text("base").pipe(
  Options.withPseudoName("REF"),
  Options.optional,
  Options.withDescription("Check what has changed since this commit (default: the upstream, else the last one)"),
)

const strict = Options.boolean("strict").pipe(Options.withDescription("End with exit code 1 if anything is found"))

const fix = Options.boolean("fix").pipe(
  Options.withDescription("Sort purposes.jsonl first, and drop duplicates and markers of conflicts"),
)

const sarif = Options.boolean("sarif").pipe(Options.withDescription("Print a SARIF 2.1.0 log on stdout"))

const config = { path: folder, base, strict, fix, root, json, sarif }

export type Input = InputOf<typeof config>

export const check = lazy("check", config, () => import("./run.ts")).pipe(
  Command.withDescription("Find purposes that a change made stale, and new symbols without one"),
)

export const examples = [
  "vibe check",
  "vibe check --base origin/main --strict",
  "vibe check --base origin/main --sarif > vibe.sarif",
]
