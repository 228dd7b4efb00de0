/** The work of `vibe loom export`. */
import * as Effect from "effect/Effect"
import * as Export from "../../../forest/Export.ts"
import * as Forest from "../../../forest/Forest.ts"
import * as Graph from "../../../forest/Graph.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import * as NodeText from "../../../forest/NodeText.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly node: string
  readonly format: Export.Format
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.export")(function* ({ format, json, node }: Input) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const path = yield* forest.path(yield* NodeName.resolve(node))
  const { root } = path
  const nodes =
    path.nodes.length > 0
      ? path.nodes
      : Graph.outline(root, yield* forest.subtree(root.id)).flatMap(({ place }) =>
          place === undefined || NodeText.isRoot(place) ? [] : [place],
        )
  const exported = new Set(nodes.map(({ id }) => id))
  const bookmarks = (yield* forest.bookmarks).filter((bookmark) => exported.has(bookmark.node))
  const { exported: readable, left } = Export.readable({ root, nodes, bookmarks })
  yield* Screen.line(out, Export.text(readable, json ? "json" : format))
  if (left.length > 0) yield* Screen.line(err, `left out: ${NodeText.unreadable(left)}`)
})
