/** `vibe loom roots`: lists the trees. */
import * as Effect from "effect/Effect"
import * as Forest from "../../forest/Forest.ts"
import { sanitizeJson } from "../../message/Sanitize.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { ForestInput } from "./options.ts"

export const run = Effect.fn("cli.loom.roots")(function* ({ json }: ForestInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const roots = yield* forest.roots()
  if (json) return yield* Screen.line(out, sanitizeJson({ roots }))
  if (roots.length === 0) return yield* Screen.line(err, "there are no conversations")
  const labels = yield* NodeFormat.loadLabels(roots)
  for (const root of roots) yield* Screen.line(out, NodeFormat.rootRow(root, labels, out.style))
})
