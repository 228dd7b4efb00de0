/** `vibe loom export`: prints a conversation, or a whole tree, as a file. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Export from "../../forest/Export.ts"
import * as Forest from "../../forest/Forest.ts"
import * as Graph from "../../forest/Graph.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Screen from "../terminal/Screen.ts"
import type { ExportInput } from "./readCommands.ts"

export const run = Effect.fn("cli.loom.export")(function* ({ format, json, node }: ExportInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const path = yield* forest.path(yield* NodeName.resolve(node))
  const { root } = path
  // The path of a root has no nodes: then the whole tree is exported.
  const nodes =
    path.nodes.length > 0
      ? path.nodes
      : Graph.outline(root, yield* forest.subtree(root.id)).flatMap(({ place }) =>
          place === undefined || NodeText.isRoot(place) ? [] : [place],
        )
  const ids = new Set(nodes.map(({ id }) => id))
  const bookmarks = (yield* forest.bookmarks).filter((bookmark) => ids.has(bookmark.node))
  // Branches below the root of a shared tree are conversations of their own.
  const tops = nodes.filter(({ parent }) => parent === root.id)
  const conversations = Export.describe(
    (yield* Effect.forEach(tops, ({ id }) => forest.conversation(id))).flatMap(Option.toArray),
  )
  const { exported: readable, left } = Export.readable({ root, nodes, bookmarks, conversations })
  yield* Screen.line(out, Export.text(readable, json ? "json" : format))
  if (left.length > 0) yield* Screen.line(err, `left out: ${NodeText.unreadable(left)}`)
})
