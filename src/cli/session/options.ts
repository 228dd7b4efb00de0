/** The options that commands with a session share. */
import * as Options from "@effect/cli/Options"
import { forestOptions, modelId, requestPolicy, model as typedModel } from "../arguments/options.ts"

/** The options of `vibe chat`, `vibe prd` and `vibe discover`. */
export const sessionOptions = {
  model: typedModel.pipe(
    Options.mapEffect(modelId),
    Options.optional,
    Options.withDescription("Ask this model, as 'vibe models' lists it, or scripted/FILE.json"),
  ),
  agent: Options.text("agent").pipe(
    Options.withPseudoName("NAME"),
    Options.optional,
    Options.withDescription("Talk to a program: claude, codex, gemini, opencode, pi, or yours"),
  ),
  resume: Options.text("resume").pipe(
    Options.withAlias("r"),
    Options.withPseudoName("[NODE]"),
    Options.optional,
    Options.withDescription("Pick a conversation of this folder, or continue at NODE (--resume=TITLE)"),
  ),
  plain: Options.boolean("plain").pipe(
    Options.withDescription("Print lines, not a drawn screen: for screen readers and scripts"),
  ),
  ...requestPolicy,
  ...forestOptions,
  json: Options.boolean("json").pipe(
    Options.withDescription("Print events as JSON, one object a line; a list as one object"),
  ),
}

/** With `--resume` and `--list`. */
export const all = Options.boolean("all").pipe(
  Options.withDescription("With --resume or --list: conversations of all folders"),
)

export const search = Options.text("search").pipe(
  Options.withPseudoName("WORDS"),
  Options.optional,
  Options.withDescription("Find messages that contain these words"),
)
