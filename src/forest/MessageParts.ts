/**
 * Messages as readers see them: edits and splits divide a message between nodes, which are joined here, as they are for
 * models.
 */
import * as Effect from "effect/Effect"
import type * as Block from "../message/Block.ts"
import type { Message } from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as Forest from "./Forest.ts"
import type { ForestError } from "./ForestError.ts"
import { continuesIn, type Node } from "./Node.ts"
import { isRoot, type Place } from "./NodeText.ts"
import { readTail } from "./readTail.ts"

/** The nodes of a message, its beginning first. */
export type Parts<A extends Place = Node> = readonly [A, ...ReadonlyArray<A>]

/**
 * The messages of a path, or of a tree with all of its branches, in the order of their last nodes. In a tree each branch at
 * a cut has its message whole, so that a beginning that all of its children continue is no message of its own.
 */
export const group = <A extends Place>(places: ReadonlyArray<A>): ReadonlyArray<Parts<A>> => {
  const byId = new Map<NodeId, A>(places.map((place) => [place.id, place]))
  /** The node of which this one continues the text. */
  const beforeOf = (place: A): A | undefined => {
    const parent = isRoot(place) ? undefined : byId.get(place.parent)
    return parent !== undefined && continues(parent, place) ? parent : undefined
  }
  const isContinued = new Set<NodeId>()
  const isEnd = new Set<NodeId>()
  for (const place of places) {
    if (!isRoot(place)) (beforeOf(place) === undefined ? isEnd : isContinued).add(place.parent)
  }
  return places.flatMap((place): ReadonlyArray<Parts<A>> => {
    if (isContinued.has(place.id) && !isEnd.has(place.id)) return []
    const parts: [A, ...Array<A>] = [place]
    for (let at = beforeOf(place); at !== undefined; at = beforeOf(at)) parts.unshift(at)
    return [parts]
  })
}

const continues = (place: Place, next: Place): boolean => !isRoot(place) && !isRoot(next) && continuesIn(place, next)

/** The message as one node: the last, with the text of all, below the parent of the first. */
export const join = ([first, ...rest]: Parts): Node =>
  rest.reduce(
    (whole, part) => ({ ...part, parent: whole.parent, message: joinMessages(whole.message, part.message) }),
    first,
  )

/** `group` and `join` in one. */
export const joinAll = (nodes: ReadonlyArray<Node>): ReadonlyArray<Node> => group(nodes).map(join)

/** The message that ends at a node. */
export const read = (forest: Forest.Service, id: NodeId): Effect.Effect<Parts, ForestError> =>
  readTail(forest, id, 2, (nodes) => group(nodes).length > 1).pipe(
    Effect.flatMap(({ nodes }) => {
      const parts = group(nodes).at(-1)
      return parts === undefined ? Effect.map(forest.node(id), (node): Parts => [node]) : Effect.succeed(parts)
    }),
  )

/** The messages of nodes that a search has found, each once, in their order. */
export const readAll = (
  forest: Forest.Service,
  nodes: ReadonlyArray<Node>,
): Effect.Effect<ReadonlyArray<Parts>, ForestError> =>
  Effect.map(
    Effect.forEach(nodes, ({ id }) => readWhole(forest, id)),
    (messages) => Array.from(new Map(messages.map((parts) => [parts.at(-1)?.id, parts])).values()),
  )

/** As `read`, and where the node begins a message, with the rest of it as it was before the edit: in its oldest child. */
const readWhole = (forest: Forest.Service, id: NodeId): Effect.Effect<Parts, ForestError> =>
  Effect.gen(function* () {
    const [first, ...rest] = yield* read(forest, id)
    for (let last: Node | undefined = rest.at(-1) ?? first; last?.splitFrom !== undefined; ) {
      const node: Node = last
      const [oldest] = yield* forest.children(node.id)
      last = oldest !== undefined && continuesIn(node, oldest) ? oldest : undefined
      if (last !== undefined) rest.push(last)
    }
    return [first, ...rest]
  })

const joinMessages = (one: Message, next: Message): Message => {
  if (one.role === "user" && next.role === "user") {
    return { role: "user", content: joinContent<Block.Text | Block.Image>(one.content, next.content) }
  }
  return one.role === "assistant" && next.role === "assistant"
    ? { role: "assistant", content: joinContent<Block.Block>(one.content, next.content) }
    : next
}

type Content<B> = readonly [B, ...ReadonlyArray<B>]

/** The text at the end of one and that at the beginning of the other become one text. */
const joinContent = <B extends Block.Block>(one: Content<B>, [next, ...rest]: Content<B>): Content<B | Block.Text> => {
  const [first, ...others] = one
  const last = one.at(-1) ?? first
  if (last.type !== "text" || next.type !== "text") return [first, ...others, next, ...rest]
  const text: Block.Text = { type: "text", text: last.text + next.text }
  const [start = text, ...before] = one.slice(0, -1)
  return one.length === 1 ? [text, ...rest] : [start, ...before, text, ...rest]
}
