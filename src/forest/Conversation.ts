/**
 * A conversation, as lists show it. It is a tree of its own, or a branch below one of the first messages of a tree that
 * several conversations share (those of questions, of explorations, and all chats of earlier versions).
 */
import * as Schema from "effect/Schema"
import { sanitizeLine } from "../base/Sanitize.ts"
import * as Message from "../message/Message.ts"
import { NodeId } from "../message/NodeId.ts"
import * as PromptText from "../message/PromptText.ts"
import type { Node } from "./Node.ts"

export const Conversation = Schema.Struct({
  /**
   * The node at which it begins, and whose id names it: the root of its tree, or in a shared tree its first message.
   */
  root: NodeId,
  /** The root of its tree. */
  tree: NodeId,
  /** The owner of its tree. */
  owner: Schema.String,
  /** The beginning of the owner: `chat`, `document`, `index`, `session`. */
  kind: Schema.String,
  /** The folder in which it was begun; absent if that is not known. */
  folder: Schema.optional(Schema.String),
  /** One line: the name that the user gave it, or else the beginning of its first message that is no notice. */
  title: Schema.String,
  /** True if the user has named it. */
  isNamed: Schema.Boolean,
  /** The times of its first and its latest message, in milliseconds since the epoch. */
  created: Schema.Number,
  changed: Schema.Number,
  /** Counts whole messages of the user and answers, in all branches, but not tool calls and their results. */
  messages: Schema.Number,
  /** The end of its newest branch: the conversation continues there. */
  leaf: NodeId,
})
export type Conversation = typeof Conversation.Type

export interface Filter {
  /** Keeps only those begun in this folder; null keeps those whose folder is not known. */
  readonly folder?: string | null | undefined
  /** Keeps only those of this owner: `chat`, `document:/home/me/notes.md`. */
  readonly owner?: string | undefined
  /** Keeps only those of these kinds, or (`exceptKinds`) all but those. */
  readonly kinds?: ReadonlyArray<string> | undefined
  readonly exceptKinds?: ReadonlyArray<string> | undefined
  /** The title must contain all of these words, in any case and without regard to accents. */
  readonly search?: string | undefined
  readonly limit: number
  /** Keeps only those that come after this one, for the next part of a list. */
  readonly before?: Pick<Conversation, "root" | "changed"> | undefined
}

/** Returns the kind of an owner's conversations: the owner up to `:` or `#`. */
export const kindOf = (owner: string): string => /^[^:#]*/.exec(owner)?.[0] ?? owner

/** The kinds of conversations that `vibe loom import` takes from other programs, with the names of those. */
export const importedKinds: ReadonlyMap<string, string> = new Map([
  ["chatgpt", "ChatGPT"],
  ["claude-code", "Claude Code"],
  ["codex", "Codex"],
  ["gemini-cli", "gemini-cli"],
  ["pi", "pi"],
])

/** The most characters of a title that is made from a message. */
export const MAX_TITLE = 60

/** Returns the beginning of a message on one line, cut between words, without the files that it mentions. */
export const titleOf = ({ message }: Pick<Node, "message">): string => {
  const text = PromptText.withoutAttachments(PromptText.withoutContext(Message.text(message)))
  const line = sanitizeLine(text.slice(0, MAX_READ)).replaceAll(/\s+/g, " ").trim()
  if (line === "") return message.content.some(({ type }) => type === "image") ? "(a picture)" : "(no words)"
  if (line.length <= MAX_TITLE) return line
  const cut = line.slice(0, MAX_TITLE - 1)
  const words = /^(.{30,}) \S*$/s.exec(cut)?.[1] ?? cut.replace(/[\ud800-\udbff]$/, "")
  return `${words}…`
}

/** Only this many characters of a message are read for a title, since a text may begin with much white space. */
const MAX_READ = 2000

/** Returns whether the user or a model said this message; tool calls, their results and notices were not said. */
export const isSaid = ({ message }: Pick<Node, "message">): boolean =>
  message.role === "user" || (message.role === "assistant" && Message.toolUses(message).length === 0)

/** Returns a function that tells whether a title has all words of a search. */
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
