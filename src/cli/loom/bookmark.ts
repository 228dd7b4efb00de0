/** `vibe loom bookmark`: names a node, or removes a name. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Screen from "../terminal/Screen.ts"
import type { BookmarkInput } from "./writeCommands.ts"

export const run = Effect.fn("cli.loom.bookmark")(function* ({ json, node, remove, title }: BookmarkInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  if (Option.isSome(remove) && Option.isNone(title)) {
    const removed = yield* forest.unbookmark(remove.value)
    const line = `removed ${removed.title}, which named ${removed.node}`
    return yield* Screen.line(out, json ? sanitizeJson({ removed }) : sanitizeLine(line))
  }
  if (Option.isSome(remove) || Option.isNone(title) || Option.isNone(node)) {
    const message = "'loom bookmark' needs TITLE and NODE, or --delete TITLE"
    return yield* new UsageError({ message, command: "loom bookmark" })
  }
  const bookmark = yield* forest.bookmark(title.value, yield* NodeName.resolve(node.value))
  const line = `${bookmark.title} names ${bookmark.node}`
  yield* Screen.line(out, json ? sanitizeJson({ bookmark }) : sanitizeLine(line))
})
