/** The work of `vibe loom bookmarks`. */

import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import * as Conversation from "../../loom/Conversation.ts"
import * as Naming from "../../loom/Naming.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.bookmarks")(function* ({ json }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const bookmarks = yield* forest.bookmarks
  if (json) return yield* Screen.line(out, sanitizeJson({ bookmarks }))
  const nodes = yield* Effect.forEach(bookmarks, ({ node }) => forest.node(node))
  const names = yield* Naming.of(nodes)
  const lines = nodes.map((node) => Conversation.row(node, names, out.style))
  for (const line of new Set(lines)) yield* Screen.line(out, line)
})
