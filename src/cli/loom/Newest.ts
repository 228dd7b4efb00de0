/** The ends of conversations of one owner, newest first. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Forest from "../../forest/Forest.ts"
import type { Node } from "../../forest/Node.ts"

export const of = Effect.fn("Newest.of")(function* (owner: string, limit: number) {
  const forest = yield* Forest.Forest
  const ends = yield* Effect.forEach(yield* forest.roots(owner), ({ id }) => forest.leaves(limit, id))
  return Arr.take(Arr.sort(ends.flat(), byTime), limit)
})

const byTime = Order.reverse(Order.mapInput(Order.number, ({ createdAt }: Node) => createdAt))
