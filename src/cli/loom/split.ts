/** `vibe loom split`: divides a message in two. */
import * as Effect from "effect/Effect"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { SplitInput } from "./writeCommands.ts"

export const run = Effect.fn("cli.loom.split")(function* ({ json, node, position }: SplitInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const { left, right } = yield* forest.split(yield* NodeName.resolve(node), position)
  if (!json) return yield* Screen.line(out, `${left.id}\n${right.id}`)
  const { titles } = yield* NodeFormat.loadLabels([])
  const object = { left: NodeFormat.toObject(left, titles), right: NodeFormat.toObject(right, titles) }
  yield* Screen.line(out, sanitizeJson(object))
})
