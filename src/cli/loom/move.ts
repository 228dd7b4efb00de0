/** `vibe loom move`: moves a branch below another message of its tree. */
import * as Effect from "effect/Effect"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { MoveInput } from "./writeCommands.ts"

export const run = Effect.fn("cli.loom.move")(function* ({ json, node, to }: MoveInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const moved = yield* forest.move(yield* NodeName.resolve(node), yield* NodeName.resolve(to))
  const { titles } = yield* NodeFormat.loadLabels([])
  const line = sanitizeLine(`${moved.id} is below ${moved.parent}`)
  yield* Screen.line(out, json ? sanitizeJson({ node: NodeFormat.toObject(moved, titles) }) : line)
})
