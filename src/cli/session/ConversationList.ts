/** Prints the conversations of one owner: the last node of each, or the nodes that contain a text. */
import * as Effect from "effect/Effect"
import type { Node } from "../../forest/Node.ts"
import * as NodeText from "../../forest/NodeText.ts"
import { sanitizeJson, sanitizeLine } from "../../message/Sanitize.ts"
import * as Conversations from "../../session/Conversations.ts"
import * as NodeFormat from "../loom/NodeFormat.ts"
import * as Screen from "../terminal/Screen.ts"

export interface Listing {
  readonly owner: string
  /** The command that continues a conversation, such as `vibe chat`. */
  readonly program: string
  readonly json: boolean
}

/** Newest first. */
export const newest = Effect.fn("ConversationList.newest")(function* (listing: Listing) {
  const nodes = yield* Conversations.newest(listing.owner, LIMIT)
  const names = yield* NodeFormat.loadLabels(nodes)
  const row = (node: Node, { quiet, strong }: Screen.Stream["style"]) =>
    [
      strong(names.shortId(node.id)),
      quiet(NodeText.time(node.createdAt)),
      NodeText.line(node),
      ...names.titles(node.id).map((title) => quiet(`[${sanitizeLine(title)}]`)),
    ].join("  ")
  yield* print(listing, nodes, names, row, "there are no conversations yet")
})

/** Newest first. */
export const search = Effect.fn("ConversationList.search")(function* (listing: Listing, text: string) {
  const nodes = yield* Conversations.search(listing.owner, text, LIMIT)
  const names = yield* NodeFormat.loadLabels(nodes)
  const row = (node: Node, style: Screen.Stream["style"]) => NodeFormat.searchHit(node, text, names, style)
  yield* print(listing, nodes, names, row, `no conversation says: ${text}`)
})

/** The maximum number of rows. */
const LIMIT = 50

const print = Effect.fnUntraced(function* (
  { json, program }: Listing,
  nodes: ReadonlyArray<Node>,
  { titles }: NodeFormat.Labels,
  row: (node: Node, style: Screen.Stream["style"]) => string,
  none: string,
) {
  const { err, out } = yield* Screen.Screen
  if (json) {
    const objects = nodes.map((node) => NodeFormat.toObject(node, titles))
    return yield* Screen.line(out, sanitizeJson({ nodes: objects }))
  }
  if (nodes.length === 0) return yield* Screen.line(err, sanitizeLine(none))
  yield* Screen.line(out, nodes.map((node) => row(node, out.style)).join("\n"))
  if (out.isTerminal) yield* Screen.line(err, err.style.quiet(`${program} --resume NODE goes on from one`))
})
