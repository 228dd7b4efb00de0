/** Options that several commands share. */
import { model, requestPolicy } from "./modelOptions.ts"
import { flag, operand, optional, text, withAlias } from "./Parameter.ts"

export const json = flag("json", "Print one JSON object on stdout")

export const root = optional(text("root", "DIR", "Use the index of this folder (default: the nearest .vibe, upwards)"))

/** A folder in place of `root`. */
export const folder = optional(operand("PATH", "A folder of the project (default: the current one)"))

/** The system prompt: see `cli/conversation/SystemPrompt`. */
export const systemOptions = {
  system: optional(withAlias(text("system", "TEXT", "Set the system prompt"), "s")),
  systemFile: optional(text("system-file", "FILE", "Read the system prompt from a file")),
}

/** These options say in which file conversations are stored, and how results are printed. */
export const forestOptions = {
  forest: optional(text("forest", "FILE", "Keep conversations in this file (default: your forest)")),
  ephemeral: flag("ephemeral", "Do not store the conversation"),
  json,
}

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
