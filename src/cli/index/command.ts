/** `vibe index`: explore a codebase. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as AppConfig from "../../config/AppConfig.ts"
import * as Thinking from "../../model/Thinking.ts"
import { type InputOf, lazy } from "../arguments/lazy.ts"
import { json, modelId, numberOption, requestPolicy, model as typedModel } from "../arguments/options.ts"
import * as Spec from "../arguments/Spec.ts"

const path = Args.text({ name: "PATH" }).pipe(
  Args.withDescription("The folder to explore (default: the current one)"),
  Args.withDefault("."),
)

const verbose = Options.boolean("verbose").pipe(
  Options.withDescription("Print every tool call, its result and the model's text"),
)

const model = typedModel.pipe(
  Options.mapEffect(modelId),
  Options.optional,
  Options.withDescription("Explore with this model, as 'vibe models' lists it, or offline"),
)

const liteModel = Options.text("lite-model").pipe(
  Options.withPseudoName("PROVIDER/NAME"),
  Options.mapEffect(modelId),
  Options.optional,
  Options.withDescription("Explain types and constants with this cheaper model"),
)

const all = Options.boolean("all").pipe(
  Options.withDescription("Go on beyond 20 requests until all is explained, or the budget is used"),
)

const parallel = numberOption(
  "parallel",
  (amount) => Number.isSafeInteger(amount) && amount >= 1 && amount <= AppConfig.MAX_PARALLEL,
  `a whole number from 1 to ${AppConfig.MAX_PARALLEL}`,
).pipe(Options.withDescription("Send N batches at the same time (default: 3; 1 for a local model)"))

const thinking = Options.choice("thinking", Thinking.choices).pipe(
  Options.optional,
  Options.withDescription("Let the model think before it answers (default: off; auto: as it likes)"),
)

const exclude = Options.text("exclude").pipe(
  Options.withPseudoName("PATTERN"),
  Options.repeated,
  Options.withDescription("Leave these files out, as a line of a .gitignore does; repeatable"),
)

const include = Options.text("include").pipe(
  Options.withPseudoName("PATTERN"),
  Options.repeated,
  Options.withDescription("Index these although ignore files leave them out; repeatable"),
)

const estimate = Options.boolean("estimate").pipe(Options.withDescription("Say what it would cost, and ask no model"))
const refreshWeak = Options.boolean("refresh-weak").pipe(
  Options.withDescription("Ask again for purposes that failed a check, with this run's model"),
)

const documented = Options.boolean("documented").pipe(
  Options.withDescription("Explain what has nothing but a comment, too"),
)

const embed = Options.text("embed").pipe(
  Options.withPseudoName("PROVIDER/NAME"),
  Options.mapEffect(modelId),
  Options.optional,
  Options.withDescription("Embed symbols with this model for the search (default: embedding.model, else none)"),
)

const noEmbed = Options.boolean("no-embed").pipe(Options.withDescription("Embed nothing in this run"))

const cluster = Options.boolean("cluster").pipe(
  Options.withDescription("Let the workers of VIBE_CLUSTER_URL answer, until all is explained; joins a run"),
)

const status = Options.text("status").pipe(
  Options.withPseudoName("RUN"),
  Options.optional,
  Options.withDescription("Follow a run of the cluster, from any machine"),
)

const cancel = Options.text("cancel").pipe(
  Options.withPseudoName("RUN"),
  Options.optional,
  Options.withDescription("End a run of the cluster; what is answered is kept"),
)

/** Accepted and ignored, so that scripts for earlier programs of this name go on working. */
const ext = Options.text("ext").pipe(
  Options.withPseudoName(".EXT"),
  Options.repeated,
  Options.withDescription(Spec.HIDDEN),
)

const includeMarkdown = Options.boolean("include-markdown").pipe(Options.withDescription(Spec.HIDDEN))

const config = {
  path,
  verbose,
  model,
  liteModel,
  all,
  parallel,
  thinking,
  exclude,
  include,
  estimate,
  refreshWeak,
  documented,
  embed,
  noEmbed,
  cluster,
  status,
  cancel,
  ...requestPolicy,
  json,
  ext,
  includeMarkdown,
}

export type Input = InputOf<typeof config>

export const index = lazy("index", config, () => import("./run.ts")).pipe(
  Command.withDescription("Explore a codebase with a model; keep what major symbols are for"),
)

export const examples = [
  "vibe index .",
  "vibe index --estimate",
  "vibe index --verbose --model offline ../project",
  "vibe index --refresh-weak --model google/gemini-2.5-pro",
  "vibe index --exclude 'libs/**' --include dist/api.js",
  "vibe index --embed ollama/nomic-embed-text",
  "vibe index --all --max-cost 0.5 --lite-model google/gemini-2.5-flash-lite",
  "vibe index --cluster --max-cost 20",
]
