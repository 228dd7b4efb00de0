/**
 * A conversation, as lists show it: a tree of its own, or in a tree that several share (of questions, of explorations, and
 * of all chats of earlier versions) the branch below one of its first messages.
 */
import * as Schema from "effect/Schema"
import * as Message from "../message/Message.ts"
import { NodeId } from "../message/NodeId.ts"
import * as PromptText from "../message/PromptText.ts"
import { sanitizeLine } from "../message/Sanitize.ts"
import type { Node } from "./Node.ts"

export const Conversation = Schema.Struct({
  /** Where it begins: the root of its tree; in a shared tree its first message. It names the conversation. */
  root: NodeId,
  /** The root of its tree. */
  tree: NodeId,
  /** The owner of its tree. */
  owner: Schema.String,
  /** What the owner begins with: `chat`, `document`, `index`, `session`. */
  kind: Schema.String,
  /** The folder in which it was begun; absent where that is not known. */
  folder: Schema.optional(Schema.String),
  /** One line: what the user has named it, or else the beginning of its first message that is no notice. */
  title: Schema.String,
  /** The user has named it. */
  isNamed: Schema.Boolean,
  /** Milliseconds since the epoch, of its first and its latest message. */
  created: Schema.Number,
  changed: Schema.Number,
  /** Whole messages of the user and answers, in all branches; tool calls and their results do not count. */
  messages: Schema.Number,
  /** The end of its newest branch, where it continues. */
  leaf: NodeId,
})
export type Conversation = typeof Conversation.Type

export interface Filter {
  /** Only those begun in this folder; null for those whose folder is not known. */
  readonly folder?: string | null | undefined
  /** Only those of this owner: `chat`, `document:/home/me/notes.md`. */
  readonly owner?: string | undefined
  /** Only, or all but, those of these kinds. */
  readonly kinds?: ReadonlyArray<string> | undefined
  readonly exceptKinds?: ReadonlyArray<string> | undefined
  /** Words that all occur in the title, in any case and without regard to accents. */
  readonly search?: string | undefined
  readonly limit: number
  /** Only those that come after this one, for the next part of a list. */
  readonly before?: Pick<Conversation, "root" | "changed"> | undefined
}

/** The kind of an owner's conversations: the owner up to `:` or `#`. */
export const kindOf = (owner: string): string => /^[^:#]*/.exec(owner)?.[0] ?? owner

/** The kinds of conversations that `vibe loom import` takes from other programs, with the names of those. */
export const importedKinds: ReadonlyMap<string, string> = new Map([
  ["chatgpt", "ChatGPT"],
  ["claude-code", "Claude Code"],
  ["codex", "Codex"],
  ["gemini-cli", "gemini-cli"],
  ["pi", "pi"],
])

/** Characters of a title that a message makes. */
export const MAX_TITLE = 60

/** The beginning of a message on one line, cut between words: without the files that it mentions. */
export const titleOf = ({ message }: Pick<Node, "message">): string => {
  const text = PromptText.withoutContext(Message.text(message))
  const line = sanitizeLine(text.slice(0, MAX_READ)).replaceAll(/\s+/g, " ").trim()
  if (line === "") return message.content.some(({ type }) => type === "image") ? "(a picture)" : "(no words)"
  if (line.length <= MAX_TITLE) return line
  const cut = line.slice(0, MAX_TITLE - 1)
  const words = /^(.{30,}) \S*$/s.exec(cut)?.[1] ?? cut.replace(/[\ud800-\udbff]$/, "")
  return `${words}…`
}

/** Characters of a message that a title may need: a text may begin with much white space. */
const MAX_READ = 2000

/** Whether a message is one that the user or a model has said, as opposed to a tool call, its result or a notice. */
export const isSaid = ({ message }: Pick<Node, "message">): boolean =>
  message.role === "user" || (message.role === "assistant" && Message.toolUses(message).length === 0)

/** A function that tells whether a title has all words of a search. */
export const makeTitleFilter = (search: string | undefined): ((title: string) => boolean) => {
  const words = fold(search ?? "")
    .split(/\s+/)
    .filter((word) => word !== "")
  return (title) => {
    if (words.length === 0) return true
    const text = fold(title)
    return words.every((word) => text.includes(word))
  }
}

const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
