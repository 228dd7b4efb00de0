/** The forest as rows of an outline, and excerpts of the messages that a search finds. */

import { cut } from "../base/DisplayWidth.ts"
import { plural } from "../base/Prose.ts"
import { sanitizeLine } from "../base/Sanitize.ts"
import type { Conversation } from "../forest/Conversation.ts"
import type { Counted } from "../forest/Forest.ts"
import type { Operation } from "../forest/JournalEntry.ts"
import * as NodeText from "../forest/NodeText.ts"
import type { Reverted, Summary } from "../forest/Operation.ts"
import type { NodeId } from "../message/NodeId.ts"
import type { Row } from "./api/Forest.ts"
import { kindOf } from "./Messages.ts"

/** The titles of bookmarks, by their node. */
export type Bookmarks = ReadonlyMap<NodeId, ReadonlyArray<string>>

/** The most characters of a row: more than fits in a line. */
const WIDTH = 240

/**
 * Returns the row of a node. `whole` is the message that ends at the node, with its earlier parts if an edit has
 * divided it.
 */
export const ofNode = ({ children, node }: Counted, bookmarks: Bookmarks, whole = node): Row => ({
  id: node.id,
  parent: node.parent,
  kind: kindOf(node),
  text: `${NodeText.firstWords(whole, WIDTH)}${node.splitFrom !== undefined && children > 0 ? " …" : ""}`,
  ...(node.source.type === "model" && { model: sanitizeLine(node.source.model) }),
  at: node.createdAt,
  children,
  bookmarks: bookmarks.get(node.id) ?? [],
})

export const ofConversation = (
  { changed, folder, kind, leaf, messages, root, title }: Conversation,
  children: number,
  bookmarks: Bookmarks,
): Row => ({
  id: root,
  parent: root,
  kind: "conversation",
  text: sanitizeLine(title),
  at: changed,
  children,
  bookmarks: bookmarks.get(root) ?? [],
  about: { kind, ...(folder !== undefined && { folder }), messages, leaf },
})

/** Verbs for what an operation did to its nodes and bookmarks. */
const verbs = {
  undo: { added: "taken away", removed: "brought back", changed: "put back" },
  redo: { added: "brought back", removed: "taken away", changed: "changed again" },
} as const

/** Describes what an undo or a redo did: `Undone, what this view did: 3 messages brought back, 1 bookmark put back.` */
export const describeReverted = (what: "undo" | "redo", reverted: ReadonlyArray<Reverted>): string => {
  const changes = reverted.flatMap((each) => each.changes)
  const { added, changed, removed } = verbs[what]
  const facts = (
    [
      ["added", "message", added],
      ["removed", "message", removed],
      ["changed", "message", changed],
      ["bookmarked", "bookmark", changed],
      ["planted", "conversation", added],
      ["uprooted", "conversation", removed],
    ] as const
  ).flatMap(([type, noun, verb]) => {
    const count = changes.filter((change) => change.type === type).length
    return count === 0 ? [] : [`${plural(count, noun)} ${verb}`]
  })
  const authors = Array.from(new Set(reverted.map(({ author }) => author ?? "an earlier version")))
  const made = authors.map((author) => (author === AUTHOR ? "this view" : author)).join(", ")
  return sanitizeLine(`${what === "undo" ? "Undone" : "Redone"}, what ${made} did: ${facts.join(", ") || "nothing"}.`)
}

/** The author of what this view changes. */
export const AUTHOR = "serve forest"

/** Names what an operation of each kind did. */
const done: Readonly<Record<Operation, string>> = {
  root: "begun",
  append: "added",
  edit: "edited",
  split: "divided",
  join: "joined",
  move: "moved",
  copy: "copied",
  delete: "removed",
  bookmark: "bookmarked",
  undo: "undone",
  redo: "redone",
  purge: "removed for good",
}

/** Describes an operation, such as `added, bookmarked: 1 message in 1 conversation`. */
export const describeOperation = ({ kinds, nodes, of, trees }: Summary): string => {
  const what = `${of === undefined ? "" : `operation ${of} `}${kinds.map((kind) => done[kind]).join(", ")}`
  const messages = nodes === 0 ? "" : `${plural(nodes, "message")} in `
  return sanitizeLine(`${what}: ${messages}${plural(trees.length, "conversation")}`)
}

/** The most characters of an excerpt. */
const EXCERPT_WIDTH = 160

/** Returns one line around the first match of the terms, which are words in lower case; prefixes end in `*`. */
export const around = (text: string, terms: ReadonlyArray<string>): string => {
  const line = text.slice(0, MAX_READ).replaceAll(/\s+/g, " ").trim()
  const lower = lowerCaseOf(line)
  const places = terms.map((term) => lower.indexOf(term.replace(/\*$/, ""))).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const wanted = first < EXCERPT_WIDTH / 2 ? 0 : first - EXCERPT_WIDTH / 4
  const start = /[\udc00-\udfff]/.test(line.charAt(wanted)) ? wanted + 1 : wanted
  return `${start === 0 ? "" : "…"}${cut(line.slice(start).toWellFormed(), EXCERPT_WIDTH)}`
}

/** Returns the line in lower case, with each letter at the same place: `İ` becomes two in lower case, so it stays. */
const lowerCaseOf = (line: string): string => {
  const lower = line.toLowerCase()
  if (lower.length === line.length) return lower
  return line.replaceAll(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase()
    return small.length === letter.length ? small : letter
  })
}

/** The most characters of a message that are searched for the terms; the rest of a longer one is not read. */
const MAX_READ = 100_000
