/** `vibe loom roots`: lists the trees. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { ListInput } from "./options.ts"
import * as TreeSummary from "./TreeSummary.ts"

export const run = Effect.fn("cli.loom.roots")(function* ({ json, noPager }: ListInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const roots = yield* forest.roots()
  const summaryOf = yield* TreeSummary.load
  if (json) {
    const objects = roots.map((root) => ({ ...NodeFormat.toObject(root, () => []), ...summaryOf(root) }))
    return yield* Screen.line(out, sanitizeJson({ roots: objects }))
  }
  if (roots.length === 0) return yield* Screen.line(err, "there are no conversations")
  const labels = yield* NodeFormat.loadLabels(roots)
  const now = yield* Clock.currentTimeMillis
  const width = yield* NodeFormat.lineWidth(out)
  const lines = roots.map((root) => TreeSummary.row(root, summaryOf(root), labels, out.style, { now, width }))
  yield* Pager.print(out, lines.join("\n"), { noPager })
})
