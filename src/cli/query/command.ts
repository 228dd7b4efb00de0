/** `vibe query`: searches the index. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json, modelId, numberOption, requestPolicy, root, model as typedModel } from "../arguments/options.ts"
import * as RepositoryOptions from "../project/RepositoryOptions.ts"

const words = Args.text({ name: "TEXT" }).pipe(Args.withDescription("Words or names to look for"), Args.atLeast(1))

const limit = numberOption(
  "limit",
  (count) => Number.isInteger(count) && count >= 1 && count <= 50,
  "a number from 1 to 50",
).pipe(Options.withDescription("Print N results, 1 to 50 (default: at most 5, fewer if the first are clearly better)"))

const also = Options.text("also").pipe(
  Options.withPseudoName("NAMES"),
  Options.repeated,
  Options.withDescription("Look also for identifiers that the code may use: guess five"),
)

const within = Options.text("within").pipe(
  Options.withPseudoName("PATH"),
  Options.optional,
  Options.withDescription("Find symbols in this file or folder only"),
)

const model = typedModel.pipe(
  Options.mapEffect(modelId),
  Options.optional,
  Options.withDescription("Let this model put the first 20 results in order, by one request"),
)

const { repo, workspace } = RepositoryOptions

const config = { words, limit, also, within, model, root, repo, workspace, json, ...requestPolicy }

export type Input = InputOf<typeof config>

export const query = lazy("query", config, () => import("./run.ts")).pipe(
  Command.withDescription("Find symbols by what they are for, with the lines that matter"),
)

export const examples = [
  "vibe query where are passwords hashed",
  "vibe query --limit 1 --json parseConfig",
  "vibe query --repo ../api --repo ../web where is a session renewed",
]
