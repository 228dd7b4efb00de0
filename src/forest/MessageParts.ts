/**
 * Messages as readers see them. Edits and splits divide a message between nodes; they are joined here, as they are for
 * models.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Message from "../message/Message.ts"
import type { NodeId } from "../message/NodeId.ts"
import type * as Forest from "./Forest.ts"
import type { ForestError } from "./ForestError.ts"
import { readTail } from "./ForestService.ts"
import { joinMessages } from "./internal/joinMessages.ts"
import { continuesIn, type Node } from "./Node.ts"
import { isRoot, type Place } from "./NodeText.ts"

/** The nodes of a message, its beginning first. */
export type Parts<A extends Place = Node> = readonly [A, ...ReadonlyArray<A>]

/**
 * Groups the nodes of a path, or of a tree with all of its branches, into messages, in the order of their last nodes.
 * Each branch after a cut in a tree has its message whole, so a beginning that all of its children continue is no
 * message of its own.
 */
export const group = <A extends Place>(places: ReadonlyArray<A>): ReadonlyArray<Parts<A>> => {
  const byId = new Map<NodeId, A>(places.map((place) => [place.id, place]))
  /** Returns the node whose text this one continues. */
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

/** Returns the message as one node: the last part, with the text of all parts, below the parent of the first. */
export const join = ([first, ...rest]: Parts): Node =>
  rest.reduce(
    (whole, part) => ({ ...part, parent: whole.parent, message: joinMessages(whole.message, part.message) }),
    first,
  )

/** Does `group` and `join` in one. */
export const joinAll = (nodes: ReadonlyArray<Node>): ReadonlyArray<Node> => group(nodes).map(join)

/** Returns the messages of a path, each whole, as models receive them. */
export const messagesOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<Message.Message> =>
  joinAll(nodes).map(({ message }) => message)

/** Reads the message that ends at a node. */
export const read = (forest: Forest.Service, id: NodeId): Effect.Effect<Parts, ForestError> =>
  readTail(forest, id, 2, (nodes) => group(nodes).length > 1).pipe(
    Effect.flatMap(({ nodes }) => {
      const parts = group(nodes).at(-1)
      return parts === undefined ? Effect.map(forest.node(id), (node): Parts => [node]) : Effect.succeed(parts)
    }),
  )

/**
 * Reads the messages after a node, each whole and as one node. If several messages share a beginning, each of them is
 * returned, and not the part that they share. A child that continues the message of the node itself is another version
 * of that message, and is left out.
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

/** Reads the messages that begin with these parts. */
const endsOf = (forest: Forest.Service, parts: Parts): Effect.Effect<ReadonlyArray<Parts>, ForestError> =>
  Effect.gen(function* () {
    const last = parts.at(-1) ?? parts[0]
    if (last.splitFrom === undefined) return [parts]
    const below = yield* forest.children(last.id)
    const rest = below.filter((child) => continuesIn(last, child))
    const ends = yield* Effect.forEach(rest, (child) => endsOf(forest, [...parts, child]))
    return [...(rest.length < below.length || rest.length === 0 ? [parts] : []), ...ends.flat()]
  })

/** Reads the messages of the nodes that a search has found, each once, in their order. */
export const readAll = (
  forest: Forest.Service,
  nodes: ReadonlyArray<Node>,
): Effect.Effect<ReadonlyArray<Parts>, ForestError> =>
  Effect.map(
    Effect.forEach(nodes, ({ id }) => readWhole(forest, id)),
    (messages) => Array.from(new Map(messages.map((parts) => [parts.at(-1)?.id, parts])).values()),
  )

/**
 * Reads the message like `read`. If the node begins a message, the rest is added as it was before the edit, which is in
 * its oldest child.
 */
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

/**
 * Replaces the text of the whole message that ends at a node. `Forest.edit` replaces that of the node alone, but an
 * edit may have divided the message before. Its bookmarks move. Returns the node at which the path now ends with
 * `text`, with the whole of it.
 */
export const editMessage = (forest: Forest.Service, id: NodeId, text: string): Effect.Effect<Node, ForestError> =>
  Effect.gen(function* () {
    // If the node is no message, `edit` fails with the reason.
    const parts = yield* Effect.orElseSucceed(read(forest, id), () => [])
    const whole = (end: Node) => Effect.map(read(forest, end.id), (parts) => ({ ...end, message: join(parts).message }))
    let rest = text
    for (const part of parts.slice(0, -1)) {
      const known = Message.text(part.message)
      const isKept = rest.startsWith(known) && rest.slice(known.length).trim() !== ""
      if (!isKept) return yield* Effect.flatMap(forest.edit(part.id, rest, { bookmarksOf: id }), whole)
      rest = rest.slice(known.length)
    }
    return yield* Effect.flatMap(forest.edit(id, rest), whole)
  })
