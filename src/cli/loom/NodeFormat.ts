/** Roots and nodes as lines of a listing, and as JSON objects. */
import * as Effect from "effect/Effect"
import * as DisplayWidth from "../../base/DisplayWidth.ts"
import { plural, timeOf } from "../../base/Prose.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Style } from "../../base/Style.ts"
import type { Conversation } from "../../forest/Conversation.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import type { NodeId } from "../../message/NodeId.ts"
import type { Usage } from "../../message/Usage.ts"
import type * as Screen from "../terminal/Screen.ts"

/** The names by which a listing calls a node. */
export interface Labels {
  /** The shortest unique prefix of an id. */
  readonly shortId: (id: NodeId) => string
  /** The bookmarks of a node. */
  readonly titles: (id: NodeId) => ReadonlyArray<string>
  /** The node that `@` names. */
  readonly position?: NodeId | undefined
}

/**
 * How wide a line may be: the columns of a terminal; elsewhere undefined, and only the
 * words of a message are shortened.
 */
export const lineWidth = ({ columns, isTerminal }: Screen.Stream): Effect.Effect<number | undefined> =>
  isTerminal ? columns : Effect.succeed(undefined)

/** `shortId` abbreviates only the ids of `places`. */
export const loadLabels = Effect.fn("NodeFormat.loadLabels")(function* (
  places: ReadonlyArray<Pick<NodeText.Place, "id">>,
) {
  const forest = yield* Forest.Forest
  const shortId = yield* NodeName.shortNames(places.map(({ id }) => id))
  const bookmarks = yield* forest.bookmarks
  const titles = (id: NodeId) => bookmarks.flatMap(({ node, title }) => (node === id ? [title] : []))
  const position = places.length === 0 ? undefined : yield* NodeName.position
  return { shortId, titles, position } satisfies Labels
})

/** Formats `01jx`, or `01jx @` for the node that `@` names. */
export const idText = (id: NodeId, { position, shortId }: Labels): string =>
  `${sanitizeLine(shortId(id))}${id === position ? " @" : ""}`

/** The ids of all parts of a message: `01jx + 01jy` */
const idsText = (parts: ReadonlyArray<NodeText.Place>, labels: Labels): string =>
  parts.map(({ id }) => idText(id, labels)).join(" + ")

/** A root, or the message that the parts make. */
const wholeOf = ([first, ...rest]: MessageParts.Parts<NodeText.Place>): NodeText.Place =>
  NodeText.isRoot(first)
    ? first
    : MessageParts.join([first, ...rest.flatMap((part) => (NodeText.isRoot(part) ? [] : [part]))])

/** The root or node that a user names. */
export const findPlace = Effect.fn("NodeFormat.findPlace")(function* (name: string) {
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(yield* NodeName.resolve(name), { last: 1 })
  return nodes.at(-1) ?? root
})

/** The `--json` form: the stored fields, the time in ISO 8601, and for a node its bookmarks. */
export const toObject = (place: NodeText.Place, titles: Labels["titles"]): object => {
  const time = isoTime(place.createdAt)
  return NodeText.isRoot(place) ? { ...place, time } : { ...place, time, bookmarks: titles(place.id) }
}

/** The `--json` form of a conversation. */
export const toConversationObject = ({ isNamed, ...rest }: Conversation): object => ({ ...rest, named: isNamed })

/** The time in ISO 8601; null if no date has it. */
const isoTime = (milliseconds: number): string | null => {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** The style of a speaker. A root has none, and neither has an unreadable node. */
const speakerStyle = (place: NodeText.Place, style: Style): ((text: string) => string) => {
  const role = NodeText.role(place)
  switch (role) {
    case "user":
    case "assistant":
    case "tool":
    case "system":
      return style[role]
    default:
      return (text) => text
  }
}

/** The fewest columns of words that a line has, however narrow the terminal is. */
const MIN_WORDS = 10

/** A time in a list. A narrow terminal has room for the date only. */
export const listTime = (milliseconds: number, width: number | undefined): string => {
  const time = timeOf(milliseconds)
  return width !== undefined && width < NARROW ? time.slice(0, "2026-11-23".length) : time
}

const NARROW = 64

/** The columns that remain for words; undefined if `width` is. */
const remaining = (width: number | undefined, others: ReadonlyArray<string>): number | undefined =>
  width === undefined
    ? undefined
    : Math.max(MIN_WORDS, width - others.reduce((sum, text) => sum + DisplayWidth.width(text), 0))

interface RowOptions {
  /** See `lineWidth`. */
  readonly width?: number | undefined
  /** The lines of a drawing in front of it. */
  readonly lines?: string | undefined
}

/** `01jx… @ assistant "The first line is…" [draft]` */
export const row = (
  parts: MessageParts.Parts<NodeText.Place>,
  labels: Labels,
  style: Style,
  { lines = "", width }: RowOptions = {},
): string => {
  const place = wholeOf(parts)
  const id = idsText(parts, labels)
  const role = NodeText.role(place)
  const titled = bookmarkMarks(parts, labels.titles)
    .map((mark) => ` ${mark}`)
    .join("")
  const marks = width === undefined ? titled : DisplayWidth.cut(titled, Math.floor(width / 3))
  const rest = remaining(width, [id, role, marks, ' "" '])
  // Deep branches are cut, to leave some room for words.
  const drawn = rest === undefined ? lines : cutLines(lines, Math.max(2, rest - MIN_WORDS))
  const words = NodeText.quote(place, remaining(rest, [drawn]))
  return `${drawn}${style.strong(id)} ${speakerStyle(place, style)(role)} ${words}${style.quiet(marks)}`
}

/** The last columns of a drawing. */
const cutLines = (lines: string, most: number): string =>
  lines.length <= most ? lines : `…${lines.slice(lines.length - most + 1)}`

/** One line with the text around the first match. */
export const searchHit = (
  parts: MessageParts.Parts,
  query: string,
  labels: Labels,
  style: Style,
  { width }: RowOptions = {},
): string => {
  const node = MessageParts.join(parts)
  const text = sanitizeLine(NodeText.body(node)).replaceAll(/\s+/g, " ").trim()
  const words = query
    .toLowerCase()
    .replaceAll("*", "")
    .split(/\s+/)
    .filter((word) => word !== "")
  const matches = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  const id = idsText(parts, labels)
  const [time, role] = [listTime(node.createdAt, width), node.message.role]
  const marks = bookmarkMarks(parts, labels.titles)
    .map((mark) => `  ${mark}`)
    .join("")
  const most = remaining(width, [id, time, role, marks, "      "]) ?? 2 * NodeText.WIDTH
  // A quarter of the line is before the match, and begins with a whole word.
  const from = Math.max(0, Math.min(...matches, text.length) - Math.ceil(most / 4))
  const excerpt = from === 0 || matches.length === 0 ? text : `…${text.slice(from).replace(/^\S*\s/, "")}`
  return [
    style.strong(id),
    style.quiet(time),
    `${speakerStyle(node, style)(role)}${style.quiet(marks)}`,
    DisplayWidth.cut(excerpt, most),
  ].join("  ")
}

/** A heading with the ids of all parts, role, models and time of the last part, and the indented text below it. */
export const entry = (parts: MessageParts.Parts<NodeText.Place>, labels: Labels, style: Style): string => {
  const place = wholeOf(parts)
  const facts = [...new Set(parts.map(NodeText.maker)), timeOf(place.createdAt), ...bookmarkMarks(parts, labels.titles)]
  const line = sanitizeLine(facts.filter((fact) => fact !== "").join("  "))
  const ids = style.strong(idsText(parts, labels))
  const heading = `${ids}  ${speakerStyle(place, style)(NodeText.role(place))}  ${style.quiet(line)}`
  return [heading, ...indent(textOf(place))].join("\n")
}

/** All metadata, a line each, and the text. */
export const details = (place: NodeText.Place, children: ReadonlyArray<Node>, { shortId, titles }: Labels): string => {
  const rows: ReadonlyArray<readonly [name: string, value: string]> = [
    [NodeText.isRoot(place) ? "root" : "node", place.id],
    ...(NodeText.isRoot(place) ? [["owner", place.owner] as const] : [["role", NodeText.role(place)] as const]),
    ["when", timeOf(place.createdAt)],
    ...(NodeText.isRoot(place) ? [] : sourceRows(place)),
    ...(NodeText.isRoot(place) ? [] : [["parent", place.parent] as const, ["root", place.root] as const]),
    ...(NodeText.isRoot(place) || place.splitFrom === undefined || place.splitFrom === place.id
      ? []
      : [["part of", place.splitFrom] as const]),
    ...children.map((child) => ["child", `${shortId(child.id)} ${NodeText.line(child)}`] as const),
    ...titles(place.id).map((title) => ["bookmark", title] as const),
  ]
  const facts = rows.map(([name, value]) => `${name.padEnd(10)}  ${sanitizeLine(value)}`)
  return [...facts, "", textOf(place)].join("\n")
}

const textOf = (place: NodeText.Place): string =>
  NodeText.isBlankRoot(place) ? NodeText.NO_SYSTEM_PROMPT : NodeText.body(place)

const sourceRows = ({ source }: Node): ReadonlyArray<readonly [name: string, value: string]> => {
  switch (source.type) {
    case "model":
      return [
        ["model", `${source.model} (${source.finish})`],
        ["tokens", tokensText(source.usage)],
      ]
    case "summary":
      return [
        ["stands for", `${plural(source.messages, "message")}, up to ${source.upTo}`],
        ...(source.model === undefined
          ? []
          : [["model", source.model] as const, ["tokens", tokensText(source.usage)] as const]),
      ]
    case "tool":
      return [["tool", source.tool], ...(source.filesWritten ?? []).map((file) => ["wrote", file] as const)]
    default:
      return []
  }
}

const tokensText = ({ cachedTokens, inputTokens, outputTokens, thinkingTokens }: Usage): string =>
  `${inputTokens} in (${cachedTokens} cached), ${outputTokens} out (${thinkingTokens} thinking)`

const bookmarkMarks = (places: ReadonlyArray<NodeText.Place>, titles: Labels["titles"]): ReadonlyArray<string> =>
  places.flatMap(({ id }) => titles(id).map((title) => `[${sanitizeLine(title)}]`))

const indent = (text: string): ReadonlyArray<string> => text.split("\n").map((line) => `    ${line}`.trimEnd())

/**
 * Formats a conversation that its title was found by, with the node after which it continues: `01jx… 2026-11-23 17:08
 * Tax return 2 messages`
 */
export const titleHit = (
  { changed, leaf, messages, title }: Conversation,
  labels: Labels,
  style: Style,
  { width }: RowOptions = {},
): string => {
  const id = idText(leaf, labels)
  const [time, count] = [listTime(changed, width), plural(messages, "message")]
  const line = sanitizeLine(title)
  const most = remaining(width, [id, time, count, "      "])
  return [
    style.strong(id),
    style.quiet(time),
    most === undefined ? line : DisplayWidth.cut(line, most),
    style.quiet(count),
  ].join("  ")
}
