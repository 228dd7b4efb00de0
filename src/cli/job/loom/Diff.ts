/** The work of `vibe loom diff`. */

import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Difference from "../../loom/Difference.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly one: string
  readonly other: string
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.diff")(function* ({ json, one, other }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const path = (name: string) => Effect.flatMap(NodeName.resolve(name), forest.path)
  const difference = Difference.between(yield* path(one), yield* path(other))
  yield* Screen.line(out, json ? sanitizeJson(difference) : Difference.text(difference))
})
