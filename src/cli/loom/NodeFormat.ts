/** Roots and nodes as lines of a listing, and as JSON objects. */
import * as Effect from "effect/Effect"
import * as Forest from "../../forest/Forest.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import type { NodeId } from "../../message/NodeId.ts"
import { sanitizeLine } from "../../message/Sanitize.ts"
import type { Style } from "../../message/Style.ts"

/** What a listing calls a node. */
export interface Labels {
  /** The shortest unique prefix of an id. */
  readonly shortId: (id: NodeId) => string
  /** The bookmarks of a node. */
  readonly titles: (id: NodeId) => ReadonlyArray<string>
}

/** `shortId` abbreviates the ids of `places` alone. */
export const loadLabels = Effect.fn("NodeFormat.loadLabels")(function* (places: ReadonlyArray<NodeText.Place>) {
  const forest = yield* Forest.Forest
  const shortId = yield* NodeName.shortNames(places.map(({ id }) => id))
  const bookmarks = yield* forest.bookmarks
  const titles = (id: NodeId) => bookmarks.flatMap(({ node, title }) => (node === id ? [title] : []))
  return { shortId, titles } satisfies Labels
})

/** The root or node that a user names. */
export const findPlace = Effect.fn("NodeFormat.findPlace")(function* (name: string) {
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(yield* NodeName.resolve(name))
  return nodes.at(-1) ?? root
})

/** The `--json` form: the stored fields, and for a node its bookmarks. */
export const toObject = (place: NodeText.Place, titles: Labels["titles"]): object =>
  NodeText.isRoot(place) ? place : { ...place, bookmarks: titles(place.id) }

/** `01jx… assistant "The first line is…" [draft]` */
export const row = (place: NodeText.Place, { shortId, titles }: Labels, { quiet, strong }: Style): string =>
  [strong(sanitizeLine(shortId(place.id))), NodeText.line(place), ...bookmarkMarks(place.id, titles).map(quiet)].join(
    " ",
  )

/** One line with the text around the first match. */
export const searchHit = (node: Node, query: string, { shortId, titles }: Labels, { quiet, strong }: Style): string => {
  const text = sanitizeLine(NodeText.body(node)).replaceAll(/\s+/g, " ").trim()
  const words = query
    .toLowerCase()
    .replaceAll("*", "")
    .split(/\s+/)
    .filter((word) => word !== "")
  const matches = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...matches, text.length) - NodeText.WIDTH / 2)
  const excerpt = from === 0 || matches.length === 0 ? text : `…${text.slice(from).replace(/^\S*\s/, "")}`
  const facts = [NodeText.time(node.createdAt), node.message.role, ...bookmarkMarks(node.id, titles)]
  return `${strong(sanitizeLine(shortId(node.id)))}  ${quiet(facts.join("  "))}  ${NodeText.cut(excerpt, 2 * NodeText.WIDTH)}`
}

/** A heading with role, model and time, and the indented text below it. */
export const entry = (place: NodeText.Place, { shortId, titles }: Labels, { quiet, strong }: Style): string => {
  const facts = [
    NodeText.role(place),
    NodeText.maker(place),
    NodeText.time(place.createdAt),
    ...bookmarkMarks(place.id, titles),
  ]
  const line = sanitizeLine(facts.filter((fact) => fact !== "").join("  "))
  const heading = `${strong(sanitizeLine(shortId(place.id)))}  ${quiet(line)}`
  return [heading, ...indent(NodeText.body(place))].join("\n")
}

/** All metadata, a line each, and the text. */
export const details = (place: NodeText.Place, children: ReadonlyArray<Node>, { shortId, titles }: Labels): string => {
  const rows: ReadonlyArray<readonly [name: string, value: string]> = [
    [NodeText.isRoot(place) ? "root" : "node", place.id],
    ...(NodeText.isRoot(place) ? [["owner", place.owner] as const] : [["role", NodeText.role(place)] as const]),
    ["when", NodeText.time(place.createdAt)],
    ...(NodeText.isRoot(place) ? [] : sourceRows(place)),
    ...(NodeText.isRoot(place) ? [] : [["parent", place.parent] as const, ["root", place.root] as const]),
    ...(NodeText.isRoot(place) || place.splitFrom === undefined ? [] : [["split from", place.splitFrom] as const]),
    ...children.map((child) => ["child", `${shortId(child.id)} ${NodeText.line(child)}`] as const),
    ...titles(place.id).map((title) => ["bookmark", title] as const),
  ]
  const facts = rows.map(([name, value]) => `${name.padEnd(10)}  ${sanitizeLine(value)}`)
  return [...facts, "", NodeText.body(place)].join("\n")
}

const sourceRows = ({ source }: Node): ReadonlyArray<readonly [name: string, value: string]> => {
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

const bookmarkMarks = (id: NodeId, titles: Labels["titles"]): ReadonlyArray<string> =>
  titles(id).map((title) => `[${sanitizeLine(title)}]`)

const indent = (text: string): ReadonlyArray<string> => text.split("\n").map((line) => `    ${line}`.trimEnd())
