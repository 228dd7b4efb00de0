/** Renders a conversation as one prompt, for agents that accept only text. Pure. */
import type * as Block from "../message/Block.ts"
import type * as Message from "../message/Message.ts"
import type { Request } from "./Request.ts"

/**
 * - `xml`: system prompt and history in tags, followed by the beginning of the answer
 * - `markdown`: the same under headings, for programs that interpret tags themselves
 * - `text`: neither, for programs that accept only a question
 */
export const formats = ["xml", "markdown", "text"] as const
export type Format = (typeof formats)[number]

/**
 * Renders the prompt. A last message of the user, or a notice, is the current request; everything before it is history,
 * oldest first. Empty sections are left out. Calls, their results and images are described in text, and thinking is
 * left out.
 */
export const render = (format: Format, { messages, system }: Pick<Request, "messages" | "system">): string => {
  const last = messages.at(-1)
  const asks = last?.role === "user" || last?.role === "system"
  const history = (asks ? messages.slice(0, -1) : messages).flatMap(line).join("\n")
  const current = asks ? textOf(last) : goOn
  return layouts[format]({ system: system.trim(), history, current })
    .filter((block) => block !== "")
    .join("\n\n")
}

/** The current request if the last message is the agent's or a tool's. */
const goOn = "Please continue."

/** The sections of a prompt. `system` and `history` may be empty. */
interface Prompt {
  readonly system: string
  readonly history: string
  readonly current: string
}

/** The blocks of a prompt, which are separated by a blank line. */
const layouts: Readonly<Record<Format, (prompt: Prompt) => ReadonlyArray<string>>> = {
  xml: ({ current, history, system }) => [
    element("system", system),
    element("conversation", history),
    `User: ${current}\nAssistant:`,
  ],
  markdown: ({ current, history, system }) => [
    section("Instructions", system),
    section("Conversation History", history),
    section("Current Request", current),
  ],
  text: ({ current, history, system }) => [system, history, current],
}

const element = (name: string, text: string): string => (text === "" ? "" : `<${name}>\n${text}\n</${name}>`)

const section = (title: string, text: string): string => (text === "" ? "" : `## ${title}\n\n${text}`)

const line = (message: Message.Message): ReadonlyArray<string> => {
  const text = textOf(message)
  return text.trim() === "" ? [] : [`${roleNames[message.role]}: ${text}`]
}

const roleNames: Readonly<Record<Message.Message["role"], string>> = {
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
  system: "System",
}

const textOf = (message: Message.Message): string => {
  const text = message.content.flatMap(describeBlock).join("\n")
  return message.role === "tool" ? `[${message.name} answered] ${text}` : text
}

const describeBlock = (block: Block.Block): ReadonlyArray<string> => {
  switch (block.type) {
    case "text":
      return [block.text]
    case "image":
      return ["[a picture]"]
    case "tool-use":
      return [`[${block.name} was called with ${JSON.stringify(block.parameters)}]`]
    case "thinking":
      return []
  }
}
