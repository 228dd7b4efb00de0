/** The names of places as a listing needs them, looked up in the forest. */
import * as Effect from "effect/Effect"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import type * as NodeText from "../../forest/NodeText.ts"
import * as Conversation from "./Conversation.ts"

export const of = Effect.fn("Naming.of")(function* (places: ReadonlyArray<NodeText.Place>) {
  const forest = yield* Forest.Forest
  const short = yield* NodeName.shortNames(places.map(({ id }) => id))
  const titles = Conversation.titlesOf(yield* forest.bookmarks)
  return { short, titles } satisfies Conversation.Names
})

/** The root or the node of that name. */
export const place = Effect.fn("Naming.place")(function* (name: string) {
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(yield* NodeName.resolve(name))
  return nodes.at(-1) ?? root
})
