/** `vibe index`: explore a codebase. */
import * as Thinking from "../../model/Thinking.ts"
import * as Command from "../arguments/Command.ts"
import { model, modelNamed, parallelRange, requestPolicy } from "../arguments/modelOptions.ts"
import { json } from "../arguments/options.ts"
import { choice, flag, hidden, number, operand, optional, repeated, text, withDefault } from "../arguments/Parameter.ts"

export const index = Command.declare(
  "index",
  "Index a codebase; with a model, explain its major symbols",
  {
    path: withDefault(operand("PATH", "The folder to index (default: the current one)"), "."),
    verbose: flag("verbose", "Print every tool call, its result and the model's text"),
    model: optional(model("Explore with this model, as 'vibe models' lists it, or offline")),
    liteModel: optional(modelNamed("lite-model", "Explain types and constants with this cheaper model")),
    all: flag("all", "Go on beyond 20 requests until all is explained, or the budget is used"),
    parallel: number("parallel", parallelRange, "Send N batches at the same time (default: 3; 1 for a local model)"),
    thinking: optional(
      choice("thinking", Thinking.choices, "Let the model think before it answers (default: off; auto: as it likes)"),
    ),
    exclude: repeated(text("exclude", "PATTERN", "Leave these files out, as a line of a .gitignore does; repeatable")),
    include: repeated(text("include", "PATTERN", "Index these although ignore files leave them out; repeatable")),
    estimate: flag("estimate", "Say what it would cost, and ask no model"),
    refreshWeak: flag("refresh-weak", "Ask again for purposes that failed a check, with this run's model"),
    documented: flag("documented", "Explain what has nothing but a comment, too"),
    embed: optional(
      modelNamed("embed", "Embed symbols with this model for the search (default: embedding.model, else none)"),
    ),
    noEmbed: flag("no-embed", "Embed nothing in this run"),
    noWiki: flag("no-wiki", "Leave the pages of the wiki as they are"),
    cluster: flag("cluster", "Let the workers of VIBE_CLUSTER_URL answer, until all is explained; joins a run"),
    status: optional(text("status", "RUN", "Follow a run of the cluster, from any machine")),
    cancel: optional(text("cancel", "RUN", "End a run of the cluster; what is answered is kept")),
    ...requestPolicy,
    json,
    // These options are accepted and ignored, so that scripts for earlier programs of this name go on working.
    ext: hidden(repeated(text("ext", ".EXT", "Ignored"))),
    includeMarkdown: hidden(flag("include-markdown", "Ignored")),
  },
  [
    "vibe index .",
    "vibe index --estimate",
    "vibe index --verbose --model offline ../project",
    "vibe index --refresh-weak --model google/gemini-2.5-pro",
    "vibe index --exclude 'libs/**' --include dist/api.js",
    "vibe index --embed ollama/nomic-embed-text",
    "vibe index --all --max-cost 0.5 --lite-model google/gemini-2.5-flash-lite",
    "vibe index --cluster --max-cost 20",
  ],
)

export type Input = Command.InputOf<typeof index>
