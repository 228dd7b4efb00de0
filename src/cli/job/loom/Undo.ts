/** The work of `vibe loom undo`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../../forest/Forest.ts"
import * as Change from "../../loom/Change.ts"
import * as NodeName from "../../loom/NodeName.ts"
import * as Render from "../../Render.ts"
import * as Screen from "../../Screen.ts"

export interface Input {
  readonly node: Option.Option<string>
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.undo")(function* ({ json, node }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const tree = Option.isNone(node) ? undefined : (yield* forest.path(yield* NodeName.resolve(node.value))).root.id
  const undone = yield* forest.undo(tree)
  yield* Screen.line(out, json ? Render.json({ undone }) : Change.undone(undone))
})
