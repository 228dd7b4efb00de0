/** `vibe index`: explore a codebase. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json, modelId, requestPolicy, model as typedModel } from "../arguments/options.ts"

const path = Args.text({ name: "PATH" }).pipe(
  Args.withDescription("The folder to explore (default: the current one)"),
  Args.withDefault("."),
)

const verbose = Options.boolean("verbose").pipe(
  Options.withDescription("Print every tool call, its result and what the model says"),
)

const model = typedModel.pipe(
  Options.mapEffect(modelId),
  Options.optional,
  Options.withDescription(
    "google/NAME, offline or scripted/FILE.json (default: google/gemini-2.5-flash if there is a key)",
  ),
)

const ext = Options.text("ext").pipe(
  Options.withPseudoName(".EXT"),
  Options.repeated,
  Options.withDescription("Accepted and ignored, for old scripts"),
)

const includeMarkdown = Options.boolean("include-markdown").pipe(
  Options.withDescription("Accepted and ignored, for old scripts"),
)

const config = {
  path,
  verbose,
  model,
  ...requestPolicy,
  json,
  ext,
  includeMarkdown,
}

export type Input = InputOf<typeof config>

export const index = lazy("index", config, () => import("./run.ts")).pipe(
  Command.withDescription("Let a model explore a codebase, and keep what every major symbol is for"),
)

export const examples = ["vibe index .", "vibe index --verbose --model offline ../project"]
