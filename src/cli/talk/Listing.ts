/** Prints conversations of one kind: where each ended, and what of them has some words. */
import * as Effect from "effect/Effect"
import * as Forest from "../../forest/Forest.ts"
import type { Node } from "../../forest/Node.ts"
import { printableLine } from "../../message/Printable.ts"
import * as Conversation from "../loom/Conversation.ts"
import * as Naming from "../loom/Naming.ts"
import * as Newest from "../loom/Newest.ts"
import * as Render from "../Render.ts"
import * as Screen from "../Screen.ts"

export interface Listing {
  readonly owner: string
  /** `vibe chat`. */
  readonly program: string
  readonly json: boolean
}

/** Newest first. */
export const newest = Effect.fn("Listing.newest")(function* (listing: Listing) {
  const nodes = yield* Newest.of(listing.owner, MOST)
  const names = yield* Naming.of(nodes)
  const row = (node: Node, { quiet, strong }: Screen.Stream["style"]) =>
    [
      strong(names.short(node.id)),
      quiet(Conversation.time(node.createdAt)),
      Conversation.line(node),
      ...names.titles(node.id).map((title) => quiet(`[${printableLine(title)}]`)),
    ].join("  ")
  yield* print(listing, nodes, names, row, "there are no conversations yet")
})

/** Newest first. */
export const search = Effect.fn("Listing.search")(function* (listing: Listing, text: string) {
  const nodes = yield* found(listing.owner, text)
  const names = yield* Naming.of(nodes)
  const row = (node: Node, style: Screen.Stream["style"]) => Conversation.hit(node, text, names, style)
  yield* print(listing, nodes, names, row, `no conversation says: ${text}`)
})

/** Of this owner's conversations, newest first. */
export const found = Effect.fn("Listing.found")(function* (owner: string, text: string) {
  const forest = yield* Forest.Forest
  const trees = yield* forest.roots(owner)
  const hits = yield* Effect.forEach(trees, ({ id }) => forest.search({ text, root: id, limit: MOST }))
  return hits
    .flat()
    .sort((one, other) => other.createdAt - one.createdAt)
    .slice(0, MOST)
})

const MOST = 50

const print = Effect.fnUntraced(function* (
  { json, program }: Listing,
  nodes: ReadonlyArray<Node>,
  { titles }: Conversation.Names,
  row: (node: Node, style: Screen.Stream["style"]) => string,
  none: string,
) {
  const { err, out } = yield* Screen.Screen
  if (json) {
    const objects = nodes.map((node) => Conversation.object(node, titles))
    return yield* Screen.line(out, Render.json({ nodes: objects }))
  }
  if (nodes.length === 0) return yield* Screen.line(err, printableLine(none))
  yield* Screen.line(out, nodes.map((node) => row(node, out.style)).join("\n"))
  if (out.isTerminal) yield* Screen.line(err, err.style.quiet(`${program} --resume NODE goes on from one`))
})
