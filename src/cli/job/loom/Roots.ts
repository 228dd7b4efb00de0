/** The work of `vibe loom roots`. */

import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Conversation from "../../loom/Conversation.ts"
import * as Naming from "../../loom/Naming.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.roots")(function* ({ json }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const roots = yield* forest.roots()
  if (json) return yield* Screen.line(out, sanitizeJson({ roots }))
  const names = yield* Naming.of(roots)
  for (const root of roots) yield* Screen.line(out, Conversation.rootRow(root, names, out.style))
})
