/** The work of `vibe loom tree`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../../forest/Forest.ts"
import * as Graph from "../../../forest/Graph.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import * as Drawing from "../../loom/Drawing.ts"
import * as Naming from "../../loom/Naming.ts"

export interface Input {
  readonly node: Option.Option<string>
  readonly depth: Option.Option<number>
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.tree")(function* ({ depth, json, node }: Input) {
  const forest = yield* Forest.Forest
  const top = Option.isSome(node)
    ? yield* Naming.place(node.value)
    : (yield* forest.path(yield* NodeName.resolve("@"))).root
  const found = yield* forest.subtree(top.id, { depth: Option.getOrUndefined(depth) })
  const nodes = found.filter(({ id }) => id !== top.id)
  yield* Drawing.draw({ top, nodes, json, limit: Option.none() }, Graph.outline)
})
