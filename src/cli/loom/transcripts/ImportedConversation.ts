/** A conversation read from a transcript file, to be appended to the forest. Pure. */

import { sanitizeLine } from "../../../base/Sanitize.ts"
import * as Bookmark from "../../../forest/Bookmark.ts"
import type { Draft } from "../../../forest/Node.ts"
import * as Message from "../../../message/Message.ts"

export interface ImportedConversation {
  readonly owner: string
  readonly systemPrompt: string
  /** The key of its root. */
  readonly key?: string | undefined
  /** Titles and folders of conversations in it. `message` is an index into `messages`; undefined for the root. */
  readonly descriptions?:
    | ReadonlyArray<{
        readonly message: number | undefined
        readonly folder: string | undefined
        readonly title: string | undefined
      }>
    | undefined
  /** The messages, parents before their children. */
  readonly messages: ReadonlyArray<ImportedMessage>
  /** `message` is an index into `messages`. */
  readonly bookmarks: ReadonlyArray<{ readonly title: string; readonly message: number }>
  /** True if equal messages of the user are different ones. */
  readonly exact?: boolean | undefined
}

interface ImportedMessage {
  /** The index of an earlier message; undefined for a message that follows the system prompt. */
  readonly parent: number | undefined
  readonly draft: Draft
  /** The index of the message that this one is the beginning of. */
  readonly splitFrom?: number | undefined
  /** The index of the last message that a summary stands for; undefined for other messages. */
  readonly upTo?: number | undefined
}

/** The content of a transcript file. */
export interface ParsedFile {
  readonly conversations: ReadonlyArray<ImportedConversation>
  /** The number of lines, or records, that hold no message. */
  readonly skipped: number
}

/** Collects the messages of one conversation, and resolves the ids that the file gives them. */
export interface Builder {
  readonly messages: ReadonlyArray<ImportedMessage>
  /**
   * Adds the record `id` below the record `parentId`, with its drafts one after the other. A record without drafts is
   * transparent: what follows it follows its parent. An unknown parent counts as none. `time` is a timestamp as the
   * file writes it; an invalid one is ignored. Returns whether a message was added.
   */
  readonly add: (id: string, parentId: string | undefined, drafts: ReadonlyArray<Draft>, time?: unknown) => boolean
  /** Returns whether there is such a record, with a message or without. */
  readonly has: (id: string) => boolean
  /** The index of the last message of a record, or of the nearest record above it that has one. */
  readonly indexOf: (id: string) => number | undefined
}

export const builder = (): Builder => {
  const messages: Array<ImportedMessage> = []
  const indexes = new Map<string, number | undefined>()
  return {
    messages,
    add: (id, parentId, drafts, time) => {
      const createdAt = toTimestamp(time)
      let index = parentId === undefined ? undefined : indexes.get(parentId)
      const nonEmpty = drafts.filter(({ message }) => !Message.isEmpty(message))
      for (const draft of nonEmpty) {
        messages.push({ parent: index, draft: createdAt === undefined ? draft : { ...draft, createdAt } })
        index = messages.length - 1
      }
      indexes.set(id, index)
      return nonEmpty.length > 0
    },
    has: (id) => indexes.has(id),
    indexOf: (id) => indexes.get(id),
  }
}

/**
 * Makes a conversation of another program, which has it under `id` and calls it `title`; both as they are in the file.
 */
export const make = ({
  id,
  messages,
  owner,
  title,
}: Pick<ImportedConversation, "messages" | "owner"> & {
  readonly id: unknown
  readonly title: unknown
}): ImportedConversation => {
  const key = typeof id === "string" && id.isWellFormed() && !id.includes("\0") && id !== "" ? id : undefined
  const line = toTitle(title)
  // A conversation without a key shares a tree, in which each message without a parent begins a conversation.
  const begins =
    key === undefined ? messages.flatMap(({ parent }, at) => (parent === undefined ? [at] : [])) : [undefined]
  return {
    owner,
    systemPrompt: "",
    ...(key !== undefined && { key }),
    ...(line !== undefined && {
      descriptions: begins.map((message) => ({ message, folder: undefined, title: line })),
    }),
    messages,
    bookmarks: [],
  }
}

/** A title on one line, cut to the length that the title of a conversation may have; undefined if there is none. */
const toTitle = (title: unknown): string | undefined => {
  if (typeof title !== "string") return undefined
  const line = sanitizeLine(title.slice(0, MAX_READ)).replaceAll(/\s+/g, " ").trim()
  const cut = line
    .slice(0, Bookmark.MAX_TITLE)
    .replace(/[\ud800-\udbff]$/, "")
    .trim()
  return cut === "" ? undefined : cut
}

/** The most characters of a title that are read: it may begin with much white space. */
const MAX_READ = 2000

/** Converts a date as text, or a number of milliseconds since the epoch, to such a number. */
const toTimestamp = (time: unknown): number | undefined => {
  const ms = typeof time === "string" ? Date.parse(time) : time
  return typeof ms === "number" && ms > 0 && ms < MAX_TIMESTAMP_MS ? Math.round(ms) : undefined
}

/** The latest time that a JavaScript date can represent (ECMA-262, 21.4.1.1). */
const MAX_TIMESTAMP_MS = 8.64e15
