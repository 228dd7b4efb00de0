/** The options that commands with a session share. */
import { model, requestPolicy } from "../arguments/modelOptions.ts"
import { forestOptions } from "../arguments/options.ts"
import { flag, optional, text, withAlias } from "../arguments/Parameter.ts"

/** The options of `vibe chat`, `vibe prd` and `vibe discover`. */
export const sessionOptions = {
  model: optional(model("Ask this model, as 'vibe models' lists it, or scripted/FILE.json")),
  agent: optional(text("agent", "NAME", "Talk to a program: claude, codex, gemini, opencode, pi, or yours")),
  resume: optional(
    withAlias(
      text("resume", "[NODE]", "Pick a conversation of this folder, or continue at NODE (--resume=TITLE)"),
      "r",
    ),
  ),
  plain: flag("plain", "Print lines, not a drawn screen: for screen readers and scripts"),
  ...requestPolicy,
  ...forestOptions,
  json: flag("json", "Print events as JSON, one object a line; a list as one object"),
}

/** An option that goes with `--resume` and `--list`. */
export const all = flag("all", "With --resume or --list: conversations of all folders")

export const search = optional(text("search", "WORDS", "Find messages that contain these words"))
