/** The work of `vibe loom log`. */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../../forest/Forest.ts"
import * as Graph from "../../../forest/Graph.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import * as NodeText from "../../../forest/NodeText.ts"
import * as Spending from "../../../loom/Spending.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Conversation from "../../loom/Conversation.ts"
import * as Drawing from "../../loom/Drawing.ts"
import * as Naming from "../../loom/Naming.ts"
import * as Used from "../../loom/Used.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly node: string
  readonly graph: boolean
  readonly limit: Option.Option<number>
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.log")(function* ({ graph, json, limit, node }: Input) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const { nodes, root } = yield* forest.path(yield* NodeName.resolve(node))
  if (graph) return yield* Drawing.draw({ top: root, nodes: yield* forest.subtree(root.id), json, limit }, Graph.graph)
  const places = [root, ...nodes]
  const last = Option.match(limit, { onNone: () => places, onSome: (count) => places.slice(-count) })
  const names = yield* Naming.of(last)
  // By all of the conversation, however much of it is printed.
  const used = yield* Used.of(nodes)
  if (json) {
    const said = last.filter((place) => !NodeText.isRoot(place))
    const { cost, usage } = Option.getOrElse(used, () => Spending.zero)
    return yield* Screen.line(
      out,
      sanitizeJson({
        root,
        nodes: said.map((place) => Conversation.object(place, names.titles)),
        usage,
        cost: cost ?? null,
      }),
    )
  }
  yield* Screen.line(out, last.map((place) => Conversation.entry(place, names, out.style)).join("\n\n"))
  if (Option.isSome(used)) yield* Screen.line(err, Used.line(used.value))
})
