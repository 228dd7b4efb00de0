/** `vibe index`: explore a codebase. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { json, modelId, runTokens, terms, model as typedModel } from "./options.ts"

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

export const index = Command.make("index", {
  path,
  verbose,
  model,
  ...terms,
  maxRunTokens: runTokens("max-tokens"),
  json,
  ext,
  includeMarkdown,
}).pipe(
  Command.withDescription("Let a model explore a codebase, and keep what every major symbol is for"),
  Command.withHandler((input) => Effect.flatMap(job, ({ run }) => run(input))),
)

export const examples = ["vibe index .", "vibe index --verbose --model offline ../project"]

const job = Effect.promise(() => import("../job/Index.ts"))
