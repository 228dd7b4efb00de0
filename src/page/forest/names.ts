/** Names speakers and the programs that conversations came from, as people say them. */
import type { Forest } from "../Client.ts"

export const speakers: Readonly<Record<Forest.Row["kind"], string>> = {
  conversation: "",
  user: "You",
  assistant: "Model",
  tool: "Tool",
  notice: "Notice",
  summary: "Summary",
  unreadable: "Damaged",
}

const origins: Readonly<Record<string, string>> = {
  chat: "chat in the terminal",
  session: "chat on this page",
  document: "written with a document",
  ask: "asked once",
  index: "index run",
  conversation: "discovery interview",
  prd: "requirements",
  chatgpt: "from ChatGPT",
  "claude-code": "from Claude Code",
  codex: "from Codex",
  "gemini-cli": "from Gemini CLI",
}

/** Returns the words of a line without the marks of Markdown, which only disturb in a list. */
export const plainWords = (text: string): string => text.replace(/\*\*|__|`+|^#+ /g, "") || "(no words)"

/** Returns where a conversation came from: the command that began it, or the program that it was imported from. */
export const originOf = (kind: string): string => origins[kind] ?? `from ${kind}`
