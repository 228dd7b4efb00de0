/** The work of `vibe loom split`. */

import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Conversation from "../../loom/Conversation.ts"
import * as Naming from "../../loom/Naming.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly node: string
  readonly position: number
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.split")(function* ({ json, node, position }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const { left, right } = yield* forest.split(yield* NodeName.resolve(node), position)
  if (!json) return yield* Screen.line(out, `${left.id}\n${right.id}`)
  const { titles } = yield* Naming.of([])
  const object = { left: Conversation.object(left, titles), right: Conversation.object(right, titles) }
  yield* Screen.line(out, sanitizeJson(object))
})
