/** Finds conversations of one owner. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Forest from "../forest/Forest.ts"
import type { Node } from "../forest/Node.ts"

/** The last nodes of at most `limit` conversations and branches, newest first. */
export const newest = Effect.fn("Conversations.newest")(function* (owner: string, limit: number) {
  const forest = yield* Forest.Forest
  const ends = yield* Effect.forEach(yield* forest.roots(owner), ({ id }) => forest.leaves(limit, id))
  return Arr.take(Arr.sort(ends.flat(), byTime), limit)
})

/** At most `limit` nodes that contain `text`, newest first. */
export const search = Effect.fn("Conversations.search")(function* (owner: string, text: string, limit: number) {
  const forest = yield* Forest.Forest
  const hits = yield* Effect.forEach(yield* forest.roots(owner), ({ id }) => forest.search({ text, root: id, limit }))
  return Arr.take(Arr.sort(hits.flat(), byTime), limit)
})

const byTime = Order.reverse(Order.mapInput(Order.number, ({ createdAt }: Node) => createdAt))
