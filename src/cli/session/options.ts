/** Options that the commands with a conversation in the terminal share. */
import * as Options from "@effect/cli/Options"
import { forestOptions, modelId, requestPolicy, model as typedModel } from "../arguments/options.ts"

/** The options of `vibe chat`, `vibe prd` and `vibe discover`. */
export const sessionOptions = {
  model: typedModel.pipe(
    Options.mapEffect(modelId),
    Options.optional,
    Options.withDescription("Who answers, as 'vibe models' lists them, or scripted/FILE.json"),
  ),
  agent: Options.text("agent").pipe(
    Options.withPseudoName("NAME"),
    Options.optional,
    Options.withDescription(
      "A program that answers in place of a model: claude, codex, gemini, opencode, pi, or yours",
    ),
  ),
  resume: Options.text("resume").pipe(
    Options.withAlias("r"),
    Options.withPseudoName("[NODE]"),
    Options.optional,
    Options.withDescription(
      "Go on with your newest conversation, or from a node named as in 'vibe loom' (--resume=TITLE)",
    ),
  ),
  plain: Options.boolean("plain").pipe(
    Options.withDescription("Lines in place of a drawn terminal: for screen readers, logs and scripts"),
  ),
  ...requestPolicy,
  ...forestOptions,
  json: Options.boolean("json").pipe(
    Options.withDescription("Print what happens on stdout, a JSON object a line; of what is listed, one object"),
  ),
}

export const search = Options.text("search").pipe(
  Options.withPseudoName("WORDS"),
  Options.optional,
  Options.withDescription("Find what was said in them"),
)
