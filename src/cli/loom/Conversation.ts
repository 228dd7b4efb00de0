/** Roots and nodes as people read them, and as objects for programs. Pure. */
import type { Bookmark } from "../../forest/Bookmark.ts"
import { isReadable, type Node } from "../../forest/Node.ts"
import type { Root } from "../../forest/Root.ts"
import type { Block, Image } from "../../message/Block.ts"
import type { Message } from "../../message/Message.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { printable, printableLine } from "../../message/Printable.ts"
import { plural } from "../Plural.ts"
import type { Style } from "../Style.ts"

export type Place = Node | Root

export const isRoot = (place: Place): place is Root => "systemPrompt" in place

/** How places are named, and what they are bookmarked as. */
export interface Names {
  readonly short: (id: NodeId) => string
  readonly titles: (id: NodeId) => ReadonlyArray<string>
}

export const titlesOf =
  (bookmarks: ReadonlyArray<Bookmark>): Names["titles"] =>
  (id) =>
    bookmarks.flatMap((bookmark) => (bookmark.node === id ? [bookmark.title] : []))

/** A node as `--json` prints it: as it is stored, and its bookmarks. */
export const object = (place: Place, titles: Names["titles"]): object =>
  isRoot(place) ? place : { ...place, bookmarks: titles(place.id) }

export const role = (place: Place): string =>
  isRoot(place) ? "root" : isReadable(place) ? place.message.role : "unreadable"

/** `2 nodes that cannot be read (n-3, n-7)` */
export const unreadable = (nodes: ReadonlyArray<Node>): string =>
  printableLine(`${plural(nodes.length, "node")} that cannot be read (${nodes.map(({ id }) => id).join(", ")})`)

/** `assistant "The first line is…"` */
export const line = (place: Place): string => `${role(place)} "${firstWords(place)}"`

/** Without a place in a drawing: `01jx… assistant "The first line is…" [draft]`. */
export const row = (place: Place, { short, titles }: Names, { quiet, strong }: Style): string =>
  [strong(printableLine(short(place.id))), line(place), ...marks(place.id, titles).map(quiet)].join(" ")

/** A line of the list of trees. */
export const rootRow = (root: Root, { short }: Names, { quiet, strong }: Style): string =>
  [
    strong(printableLine(short(root.id))),
    quiet(time(root.createdAt)),
    printableLine(root.owner),
    `"${firstWords(root)}"`,
  ].join("  ")

/** A line of what a search has found, around the first of the words that were searched for. */
export const hit = (node: Node, query: string, { short, titles }: Names, { quiet, strong }: Style): string => {
  const text = printableLine(body(node)).replaceAll(/\s+/g, " ").trim()
  const wanted = query
    .toLowerCase()
    .replaceAll("*", "")
    .split(/\s+/)
    .filter((word) => word !== "")
  const places = wanted.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - WIDTH / 2)
  const near = from === 0 || places.length === 0 ? text : `…${text.slice(from).replace(/^\S*\s/, "")}`
  const facts = [time(node.createdAt), node.message.role, ...marks(node.id, titles)]
  return `${strong(printableLine(short(node.id)))}  ${quiet(facts.join("  "))}  ${cut(near, 2 * WIDTH)}`
}

/** A heading that says who and when, and under it, indented, what. */
export const entry = (place: Place, { short, titles }: Names, { quiet, strong }: Style): string => {
  const facts = [role(place), maker(place), time(place.createdAt), ...marks(place.id, titles)]
  const told = printableLine(facts.filter((fact) => fact !== "").join("  "))
  const heading = `${strong(printableLine(short(place.id)))}  ${quiet(told)}`
  return [heading, ...indented(body(place))].join("\n")
}

/** All that is known of one place. */
export const details = (place: Place, children: ReadonlyArray<Node>, { short, titles }: Names): string => {
  const rows: ReadonlyArray<readonly [name: string, value: string]> = [
    [isRoot(place) ? "root" : "node", place.id],
    ...(isRoot(place) ? [["owner", place.owner] as const] : [["role", role(place)] as const]),
    ["when", time(place.createdAt)],
    ...(isRoot(place) ? [] : made(place)),
    ...(isRoot(place) ? [] : [["parent", place.parent] as const, ["root", place.root] as const]),
    ...(isRoot(place) || place.splitFrom === undefined ? [] : [["split from", place.splitFrom] as const]),
    ...children.map((child) => ["child", `${short(child.id)} ${line(child)}`] as const),
    ...titles(place.id).map((title) => ["bookmark", title] as const),
  ]
  const facts = rows.map(([name, value]) => `${name.padEnd(10)}  ${printableLine(value)}`)
  return [...facts, "", body(place)].join("\n")
}

/** What a message says, for people: text as it is, and what else it holds marked as such. */
export const body = (place: Place): string => words(place).trimEnd()

/** The same with the white space at its end, which another message may go on from. */
export const words = (place: Place): string => printable(isRoot(place) ? place.systemPrompt : said(place.message))

/** UTC, to the second. */
export const time = (milliseconds: number): string =>
  Number.isNaN(new Date(milliseconds).getTime())
    ? String(milliseconds)
    : new Date(milliseconds).toISOString().replace("T", " ").replace(/\.\d+/, "")

/** Who made it, where that is not plain from its role. */
export const maker = (place: Place): string => {
  if (isRoot(place)) return place.owner
  switch (place.source.type) {
    case "model":
      return place.source.model
    case "tool":
      return place.source.tool
    default:
      return ""
  }
}

const made = ({ source }: Node): ReadonlyArray<readonly [name: string, value: string]> => {
  switch (source.type) {
    case "model": {
      const { cachedTokens, inputTokens, outputTokens, thinkingTokens } = source.usage
      return [
        ["model", `${source.model} (${source.finish})`],
        ["tokens", `${inputTokens} in (${cachedTokens} cached), ${outputTokens} out (${thinkingTokens} thinking)`],
      ]
    }
    case "tool":
      return [["tool", source.tool], ...(source.filesWritten ?? []).map((file) => ["wrote", file] as const)]
    default:
      return []
  }
}

const said = (message: Message): string =>
  message.role === "tool"
    ? `[${message.isError === true ? "error of" : "result of"} ${message.name}]\n${message.content.map(block).join("\n")}`
    : message.content.map(block).join("\n")

const block = (block: Block): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
      return picture(block)
    case "thinking":
      return `[thinking] ${block.text}`
    case "tool-use":
      return `[calls ${block.name}] ${JSON.stringify(block.parameters)}`
  }
}

/** Named, since a terminal has no other way that works everywhere: `[image/png, 12 kB]`. */
export const picture = ({ data, media_type }: Image): string =>
  `[${media_type}, ${Math.ceil((data.length * 0.75) / 1000)} kB]`

/** The first of them, on one line. */
const firstWords = (place: Place): string => cut(printableLine(body(place)).replaceAll(/\s+/g, " ").trim(), WIDTH)

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1).replace(/[\ud800-\udbff]$/, "")}…`

/** Characters of a message that stand for it in a list. */
const WIDTH = 60

const marks = (id: NodeId, titles: Names["titles"]): ReadonlyArray<string> =>
  titles(id).map((title) => `[${printableLine(title)}]`)

const indented = (text: string): ReadonlyArray<string> => text.split("\n").map((line) => `    ${line}`.trimEnd())
