/** Prints a tree, drawn or as an object. */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Row } from "../../forest/Graph.ts"
import type { Node } from "../../forest/Node.ts"
import type * as NodeText from "../../forest/NodeText.ts"
import { sanitizeJson } from "../../message/Sanitize.ts"
import * as Screen from "../terminal/Screen.ts"
import * as Conversation from "./Conversation.ts"
import * as Naming from "./Naming.ts"

export interface Tree {
  readonly top: NodeText.Place
  /** What is below it, parents before their children. */
  readonly nodes: ReadonlyArray<Node>
  readonly json: boolean
  /** Of places: the last ones are printed. */
  readonly limit: Option.Option<number>
}

export const draw = Effect.fn("Drawing.draw")(function* (
  { json, limit, nodes, top }: Tree,
  rowsOf: (top: NodeText.Place, nodes: ReadonlyArray<Node>) => ReadonlyArray<Row>,
) {
  const { out } = yield* Screen.Screen
  const all = rowsOf(top, nodes)
  const places = all.flatMap(({ place }) => place ?? [])
  const first = Option.match(limit, { onNone: () => places[0], onSome: (count) => places.slice(-count)[0] })
  const rows = all.slice(all.findIndex(({ place }) => place === first))
  const names = yield* Naming.of(rows.flatMap(({ place }) => place ?? []))
  if (json) {
    const object = (place: NodeText.Place) => Conversation.object(place, names.titles)
    return yield* Screen.line(out, sanitizeJson({ top: object(top), nodes: nodes.map(object) }))
  }
  const lines = rows.map(({ lines, place }) =>
    place === undefined ? lines : `${lines}${Conversation.row(place, names, out.style)}`,
  )
  yield* Screen.line(out, lines.join("\n"))
})
