/** `vibe loom bookmarks`: lists the bookmarks. */
import * as Effect from "effect/Effect"
import { sanitizeJson } from "../../base/Sanitize.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { ListInput } from "./options.ts"

export const run = Effect.fn("cli.loom.bookmarks")(function* ({ json, noPager }: ListInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const bookmarks = yield* forest.bookmarks
  if (json) return yield* Screen.line(out, sanitizeJson({ bookmarks }))
  if (bookmarks.length === 0) return yield* Screen.line(err, "there are no bookmarks")
  const messages = yield* Effect.forEach(bookmarks, ({ node }) => MessageParts.read(forest, node))
  const labels = yield* NodeFormat.loadLabels(messages.flat())
  const width = yield* NodeFormat.lineWidth(out)
  // A node with several bookmarks has one line, which lists them all.
  const lines = new Set(messages.map((parts) => NodeFormat.row(parts, labels, out.style, { width })))
  yield* Pager.print(out, Array.from(lines).join("\n"), { noPager })
})
