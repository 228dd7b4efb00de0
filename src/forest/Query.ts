/** A query for the full-text search of messages. */
import type * as Block from "../message/Block.ts"
import type { Message } from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import { isReadable, type Node } from "./Node.ts"

export interface Query {
  /** Every word has to occur; a word that ends in `*` is a prefix. */
  readonly text: string
  readonly root?: NodeId | undefined
  /** Searches only the trees of this owner. */
  readonly owner?: string | undefined
  /** Searches only the trees of owners of these kinds; see `Conversation.kindOf`. */
  readonly kinds?: ReadonlyArray<string> | undefined
  readonly role?: Message["role"] | undefined
  /** `provider/name`, as in the source of a reply. */
  readonly model?: string | undefined
  /** The first and the last time, in milliseconds since the epoch, both included. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly limit?: number | undefined
  /** True to append unreadable nodes, which may contain the words, to the result. */
  readonly unreadable?: boolean | undefined
}

/** The most results of a query without a limit. */
export const DEFAULT_LIMIT = 20

/**
 * Splits a text into words: runs of letters and digits in lower case, without the accents of Latin, Greek and Cyrillic.
 * Each character of Chinese and Japanese, which are written without spaces, is a word.
 */
export const tokenize = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Returns the searchable text of a message: text, thinking, and tool calls with their arguments. */
export const searchableText = (message: Message): string => message.content.map(blockText).join("\n")

const blockText = (block: Block.Block): string => {
  switch (block.type) {
    case "tool-use":
      return `${block.name} ${stringValues(block.parameters).join(" ")}`
    case "image":
      return ""
    default:
      return block.text
  }
}

const stringValues = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(stringValues)
  return value === null || value === undefined ? [] : [String(value)]
}

/** Returns the words of a query. Prefixes end in `*`. */
export const queryTerms = (text: string): ReadonlyArray<string> =>
  text.split(/\s+/).flatMap((part) => {
    const found = tokenize(part)
    return found.map((word, n) => (part.endsWith("*") && n === found.length - 1 ? `${word}*` : word))
  })

/** Returns whether a node matches. No node matches a query without words. */
export const matches = (query: Query): ((node: Node) => boolean) => {
  const wanted = queryTerms(query.text)
  return (node) =>
    wanted.length > 0 && matchesFilters(node, query) && containsTerms(tokenize(searchableText(node.message)), wanted)
}

const matchesFilters = (node: Node, { model, role, root, since, until }: Query): boolean =>
  isReadable(node) &&
  (root === undefined || node.root === root) &&
  (role === undefined || node.message.role === role) &&
  (model === undefined || (node.source.type === "model" && node.source.model === model)) &&
  (since === undefined || node.createdAt >= since) &&
  (until === undefined || node.createdAt <= until)

const containsTerms = (words: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  wanted.every((word) =>
    word.endsWith("*") ? words.some((found) => found.startsWith(word.slice(0, -1))) : words.includes(word),
  )
