/** `vibe loom export`: prints a conversation, a whole tree, or all of them, as a file. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../base/UsageError.ts"
import * as Export from "../../forest/Export.ts"
import * as Forest from "../../forest/Forest.ts"
import * as Graph from "../../forest/Graph.ts"
import type { Node, Root } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Screen from "../terminal/Screen.ts"
import type { ExportInput } from "./readCommands.ts"

export const run = Effect.fn("cli.loom.export")(function* ({ all, format, json, node }: ExportInput) {
  const forest = yield* Forest.Forest
  if (!all) {
    const { nodes, root } = yield* forest.path(yield* NodeName.resolve(Option.getOrElse(node, () => "@")))
    // The path of a root has no nodes, so the whole tree is exported.
    const exported = nodes.length > 0 ? nodes : yield* nodesBelow(root)
    return yield* print(root, exported, json ? "json" : Option.getOrElse(format, () => "markdown"))
  }
  if (Option.isSome(node)) return yield* refuse("'--all' exports every tree, so it takes no NODE")
  if (json || Option.exists(format, (format) => format !== "jsonl")) {
    return yield* refuse("'--all' prints JSON lines, in no other format")
  }
  const roots = yield* forest.roots()
  if (roots.length === 0) {
    const { err } = yield* Screen.Screen
    return yield* Screen.line(err, "there are no conversations")
  }
  // One at a time: only the largest tree has to fit into memory.
  for (const root of roots) yield* print(root, yield* nodesBelow(root), "jsonl")
})

const nodesBelow = Effect.fnUntraced(function* (root: Root) {
  const forest = yield* Forest.Forest
  return Graph.outline(root, yield* forest.subtree(root.id)).flatMap(({ place }) =>
    place === undefined || NodeText.isRoot(place) ? [] : [place],
  )
})

const print = Effect.fnUntraced(function* (root: Root, nodes: ReadonlyArray<Node>, format: Export.Format) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const ids = new Set(nodes.map(({ id }) => id))
  const bookmarks = (yield* forest.bookmarks).filter((bookmark) => ids.has(bookmark.node))
  // Branches below the root of a shared tree are conversations of their own.
  const tops = nodes.filter(({ parent }) => parent === root.id)
  const conversations = Export.describe(
    (yield* Effect.forEach(tops, ({ id }) => forest.conversation(id))).flatMap(Option.toArray),
  )
  const { exported: readable, left } = Export.readable({ root, nodes, bookmarks, conversations })
  yield* Screen.line(out, Export.text(readable, format))
  if (left.length > 0) yield* Screen.line(err, `left out: ${NodeText.unreadable(left)}`)
})

const refuse = (message: string) => new UsageError({ message, command: "loom export" })
