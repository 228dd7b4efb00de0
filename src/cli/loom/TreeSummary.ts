/** A tree in a list: its kind, folder, time and number of messages. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as DisplayWidth from "../../base/DisplayWidth.ts"
import { ageOf, plural } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import { type Conversation, kindOf } from "../../forest/Conversation.ts"
import * as Forest from "../../forest/Forest.ts"
import type { Root } from "../../forest/Node.ts"
import * as NodeText from "../../forest/NodeText.ts"
import { idText, type Labels } from "./NodeFormat.ts"

export interface TreeSummary {
  /** The time of the latest message, or of the tree if it has none, in milliseconds since the epoch. */
  readonly changed: number
  /** The number of messages by users and models. */
  readonly messages: number
  /**
   * The number of branches below the root of a tree that conversations share; 1 for a conversation with a tree of its
   * own.
   */
  readonly conversations: number
  /** The title of the conversation, if it has a tree of its own. */
  readonly title?: string
  /** The folder in which all of its conversations were begun, if it is one. */
  readonly folder?: string
}

/** Loads the facts of all trees, by their roots. */
export const load = Effect.gen(function* () {
  const forest = yield* Forest.Forest
  const conversations = yield* forest.conversations({ limit: Number.MAX_SAFE_INTEGER })
  const byTree = Map.groupBy(conversations, ({ tree }) => tree)
  return (root: Root): TreeSummary => summarize(root, byTree.get(root.id) ?? [])
})

/** `conversations` begins with the one that has the latest message. */
const summarize = (root: Root, conversations: ReadonlyArray<Conversation>): TreeSummary => {
  const [newest] = conversations
  if (newest === undefined) return { changed: root.createdAt, messages: 0, conversations: 0 }
  const { changed, folder, title } = newest
  return {
    changed,
    messages: conversations.reduce((sum, { messages }) => sum + messages, 0),
    conversations: conversations.length,
    ...(root.key !== undefined && { title }),
    ...(folder !== undefined && conversations.every((each) => each.folder === folder) && { folder }),
  }
}

/**
 * Formats `01jx… 3 h ago Why is the sky blue? chat /home/me/app 4 messages`. A tree that conversations share has its
 * system prompt in place of a title: `01jx… 2 days ago "You are a poet" loom 3 conversations, 9 messages`. A tree with
 * a system prompt of vibe has the codebase there: `01jx… 2 days ago /home/me/app index 3 conversations, 90 messages`
 */
export const row = (
  root: Root,
  { conversations, changed, folder, messages, title }: TreeSummary,
  labels: Labels,
  { quiet, strong }: Style,
  /** `width` is that of `NodeFormat.lineWidth`. */
  { now, width = Number.POSITIVE_INFINITY }: { readonly now: number; readonly width?: number | undefined },
): string => {
  const id = idText(root.id, labels)
  const age = ageOf(changed, now)
  const owner = DisplayWidth.cut(sanitizeLine(ownerText(root.owner)), Math.floor(width / 4))
  const said = plural(messages, "message")
  const count = title === undefined ? `${plural(conversations, "conversation")}, ${said}` : said
  const own = placeOf(root.owner)
  const words =
    title !== undefined
      ? { text: sanitizeLine(title), isPath: false }
      : own === undefined
        ? { text: NodeText.quote(root), isPath: false }
        : { text: sanitizeLine(own), isPath: true }
  const begun = folder ?? own
  const isNamed = begun === undefined || (words.isPath && begun === own) || root.owner.startsWith(DOCUMENT)
  const place = isNamed ? "" : cutPath(sanitizeLine(begun), Math.floor(width / 4))
  // A narrow terminal has no room for all of them.
  const choices: ReadonlyArray<Facts> = [
    { age, place, count },
    { age, place: "", count },
    { age, place: "", count: "" },
  ]
  const columnsFor = (facts: Facts) =>
    [id, owner, ...Object.values(facts)].reduce(
      (left, part) => left - (part === "" ? 0 : DisplayWidth.width(part) + 2),
      width,
    )
  const shown = choices.find((facts) => columnsFor(facts) >= MIN_WORDS) ?? { age: "", place: "", count: "" }
  const faint = (text: string) => (text === "" ? [] : [quiet(text)])
  return [
    strong(id),
    ...faint(shown.age),
    (words.isPath ? cutPath : DisplayWidth.cut)(words.text, Math.max(MIN_WORDS, columnsFor(shown))),
    owner,
    ...faint(shown.place),
    ...faint(shown.count),
  ].join("  ")
}

const DOCUMENT = "document:"

/**
 * Owners that name a codebase, `index:PATH`: vibe wrote the system prompts of their trees.
 * Interviews are `conversation:PATH`.
 */
const OF_CODEBASE = /^(?:index|conversation):(.+)$/s

const placeOf = (owner: string): string | undefined => OF_CODEBASE.exec(owner)?.[1]

/** Returns `page` for a session of `vibe serve`, `document plan.md`, `discover`, `index`; other owners as they are. */
const ownerText = (owner: string): string => {
  if (kindOf(owner) === "conversation") return "discover"
  if (kindOf(owner) === "session") return "page"
  if (owner.startsWith(DOCUMENT)) return `document ${Path.basename(owner)}`
  return placeOf(owner) === undefined ? owner : kindOf(owner)
}

/** The end of a path says more than its beginning: `…/app`. */
const cutPath = (path: string, width: number): string =>
  DisplayWidth.width(path) <= width ? path : DisplayWidth.cut(`…/${Path.basename(path)}`, width)

interface Facts {
  readonly age: string
  readonly place: string
  readonly count: string
}

/** The fewest columns of a title or a system prompt, however narrow the terminal is. */
const MIN_WORDS = 10
