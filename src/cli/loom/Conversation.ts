/** Roots and nodes as people read them, and as objects for programs. Pure. */
import type { Bookmark } from "../../forest/Bookmark.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeText from "../../forest/NodeText.ts"
import type { Root } from "../../forest/Root.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import type { Style } from "../terminal/Style.ts"

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
export const object = (place: NodeText.Place, titles: Names["titles"]): object =>
  NodeText.isRoot(place) ? place : { ...place, bookmarks: titles(place.id) }

/** Without a place in a drawing: `01jx… assistant "The first line is…" [draft]`. */
export const row = (place: NodeText.Place, { short, titles }: Names, { quiet, strong }: Style): string =>
  [strong(sanitizeLine(short(place.id))), NodeText.line(place), ...marks(place.id, titles).map(quiet)].join(" ")

/** A line of the list of trees. */
export const rootRow = (root: Root, { short }: Names, { quiet, strong }: Style): string =>
  [
    strong(sanitizeLine(short(root.id))),
    quiet(NodeText.time(root.createdAt)),
    sanitizeLine(root.owner),
    `"${NodeText.firstWords(root)}"`,
  ].join("  ")

/** A line of what a search has found, around the first of the words that were searched for. */
export const hit = (node: Node, query: string, { short, titles }: Names, { quiet, strong }: Style): string => {
  const text = sanitizeLine(NodeText.body(node)).replaceAll(/\s+/g, " ").trim()
  const wanted = query
    .toLowerCase()
    .replaceAll("*", "")
    .split(/\s+/)
    .filter((word) => word !== "")
  const places = wanted.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - NodeText.WIDTH / 2)
  const near = from === 0 || places.length === 0 ? text : `…${text.slice(from).replace(/^\S*\s/, "")}`
  const facts = [NodeText.time(node.createdAt), node.message.role, ...marks(node.id, titles)]
  return `${strong(sanitizeLine(short(node.id)))}  ${quiet(facts.join("  "))}  ${NodeText.cut(near, 2 * NodeText.WIDTH)}`
}

/** A heading that says who and when, and under it, indented, what. */
export const entry = (place: NodeText.Place, { short, titles }: Names, { quiet, strong }: Style): string => {
  const facts = [
    NodeText.role(place),
    NodeText.maker(place),
    NodeText.time(place.createdAt),
    ...marks(place.id, titles),
  ]
  const told = sanitizeLine(facts.filter((fact) => fact !== "").join("  "))
  const heading = `${strong(sanitizeLine(short(place.id)))}  ${quiet(told)}`
  return [heading, ...indented(NodeText.body(place))].join("\n")
}

/** All that is known of one place. */
export const details = (place: NodeText.Place, children: ReadonlyArray<Node>, { short, titles }: Names): string => {
  const rows: ReadonlyArray<readonly [name: string, value: string]> = [
    [NodeText.isRoot(place) ? "root" : "node", place.id],
    ...(NodeText.isRoot(place) ? [["owner", place.owner] as const] : [["role", NodeText.role(place)] as const]),
    ["when", NodeText.time(place.createdAt)],
    ...(NodeText.isRoot(place) ? [] : made(place)),
    ...(NodeText.isRoot(place) ? [] : [["parent", place.parent] as const, ["root", place.root] as const]),
    ...(NodeText.isRoot(place) || place.splitFrom === undefined ? [] : [["split from", place.splitFrom] as const]),
    ...children.map((child) => ["child", `${short(child.id)} ${NodeText.line(child)}`] as const),
    ...titles(place.id).map((title) => ["bookmark", title] as const),
  ]
  const facts = rows.map(([name, value]) => `${name.padEnd(10)}  ${sanitizeLine(value)}`)
  return [...facts, "", NodeText.body(place)].join("\n")
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

const marks = (id: NodeId, titles: Names["titles"]): ReadonlyArray<string> =>
  titles(id).map((title) => `[${sanitizeLine(title)}]`)

const indented = (text: string): ReadonlyArray<string> => text.split("\n").map((line) => `    ${line}`.trimEnd())
