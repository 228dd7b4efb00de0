/** `vibe loom tree`: draws a node and its descendants. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../forest/Forest.ts"
import * as Graph from "../../forest/Graph.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import type * as NodeText from "../../forest/NodeText.ts"
import { sanitizeJson } from "../../message/Sanitize.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { TreeInput } from "./readCommands.ts"

export const run = Effect.fn("cli.loom.tree")(function* ({ depth, json, node }: TreeInput) {
  const forest = yield* Forest.Forest
  const top = Option.isSome(node)
    ? yield* NodeFormat.findPlace(node.value)
    : (yield* forest.path(yield* NodeName.resolve("@"))).root
  const subtree = yield* forest.subtree(top.id, { depth: Option.getOrUndefined(depth) })
  const nodes = subtree.filter(({ id }) => id !== top.id)
  yield* printTree({ top, nodes, json, limit: Option.none() }, Graph.outline)
})

export interface Tree {
  readonly top: NodeText.Place
  /** The descendants of `top`, parents before their children. */
  readonly nodes: ReadonlyArray<Node>
  readonly json: boolean
  /** The number of places that are drawn: the last ones. */
  readonly limit: Option.Option<number>
}

/** Prints a tree, drawn or as a JSON object. */
export const printTree = Effect.fn("cli.loom.printTree")(function* (
  { json, limit, nodes, top }: Tree,
  layout: (top: NodeText.Place, nodes: ReadonlyArray<Node>) => ReadonlyArray<Graph.Row>,
) {
  const { out } = yield* Screen.Screen
  const all = layout(top, nodes)
  const places = all.flatMap(({ place }) => place ?? [])
  const first = Option.match(limit, { onNone: () => places[0], onSome: (count) => places.slice(-count)[0] })
  const rows = all.slice(all.findIndex(({ place }) => place === first))
  const labels = yield* NodeFormat.loadLabels(rows.flatMap(({ place }) => place ?? []))
  if (json) {
    const toObject = (place: NodeText.Place) => NodeFormat.toObject(place, labels.titles)
    return yield* Screen.line(out, sanitizeJson({ top: toObject(top), nodes: nodes.map(toObject) }))
  }
  const lines = rows.map(({ lines, place }) =>
    place === undefined ? lines : `${lines}${NodeFormat.row(place, labels, out.style)}`,
  )
  yield* Screen.line(out, lines.join("\n"))
})
