/** `vibe loom join`: makes one message of two. */
import * as Effect from "effect/Effect"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { JoinInput } from "./writeCommands.ts"

export const run = Effect.fn("cli.loom.join")(function* ({ json, node }: JoinInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const joined = yield* forest.join(yield* NodeName.resolve(node))
  const { titles } = yield* NodeFormat.loadLabels([])
  yield* Screen.line(out, json ? sanitizeJson({ node: NodeFormat.toObject(joined, titles) }) : joined.id)
})
