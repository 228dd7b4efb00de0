/** Options that several commands share. */
import { flag, operand, optional, text, withAlias } from "./Parameter.ts"

export const json = flag("json", "Print one JSON object on stdout")

export const root = optional(text("root", "DIR", "Use the index of this folder (default: the nearest .vibe, upwards)"))

/** A folder in place of `root`. */
export const folder = optional(operand("PATH", "A folder of the project (default: the current one)"))

/** The system prompt: see `conversation/SystemPrompt`. */
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
