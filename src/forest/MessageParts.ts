/**
 * Messages as readers see them: edits and splits divide a message between nodes, which are joined here, as they are for
 * models.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as Forest from "./Forest.ts"
import type { ForestError } from "./ForestError.ts"
import { joinMessages } from "./internal/joinMessages.ts"
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

/** The messages of a path, each whole, as models receive them. */
export const messagesOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<Message.Message> =>
  joinAll(nodes).map(({ message }) => message)

/** The message that ends at a node. */
export const read = (forest: Forest.Service, id: NodeId): Effect.Effect<Parts, ForestError> =>
  readTail(forest, id, 2, (nodes) => group(nodes).length > 1).pipe(
    Effect.flatMap(({ nodes }) => {
      const parts = group(nodes).at(-1)
      return parts === undefined ? Effect.map(forest.node(id), (node): Parts => [node]) : Effect.succeed(parts)
    }),
  )

/**
 * The messages after a node, each whole, as one node: where a beginning is shared by several, each of them, and not what they
 * have in common. What continues the message of the node itself is another version of that one, and none of them.
 */
export const children = (forest: Forest.Service, id: NodeId): Effect.Effect<ReadonlyArray<Node>, ForestError> =>
  Effect.gen(function* () {
    const own = Option.getOrUndefined(yield* Effect.option(forest.node(id)))
    const below = yield* forest.children(id)
    const messages = yield* Effect.forEach(
      own === undefined ? below : below.filter((child) => !continuesIn(own, child)),
      (child) => endsOf(forest, [child]),
    )
    return messages.flat().map(join)
  })

/** The messages that the parts begin. */
const endsOf = (forest: Forest.Service, parts: Parts): Effect.Effect<ReadonlyArray<Parts>, ForestError> =>
  Effect.gen(function* () {
    const last = parts.at(-1) ?? parts[0]
    if (last.splitFrom === undefined) return [parts]
    const below = yield* forest.children(last.id)
    const rest = below.filter((child) => continuesIn(last, child))
    const ends = yield* Effect.forEach(rest, (child) => endsOf(forest, [...parts, child]))
    return [...(rest.length < below.length || rest.length === 0 ? [parts] : []), ...ends.flat()]
  })

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
