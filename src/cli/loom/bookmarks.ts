/** Runs the commands of `vibe loom` that set, move and list bookmarks. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { ListInput } from "./options.ts"
import type { BookmarkInput, SwitchInput } from "./writeCommands.ts"

/** `vibe loom bookmark`: names a node, or removes a name. */
export const bookmark = Effect.fn("cli.loom.bookmark")(function* ({ json, node, remove, title }: BookmarkInput) {
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

/** `vibe loom bookmarks`: lists the bookmarks. */
export const bookmarks = Effect.fn("cli.loom.bookmarks")(function* ({ json, noPager }: ListInput) {
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

/** `vibe loom switch`: moves `@`, the user's position in this folder. */
export const switchTo = Effect.fn("cli.loom.switch")(function* ({ json, newest, node }: SwitchInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  if (Option.isSome(node) === newest) {
    const message = newest
      ? "'loom switch' takes either NODE or --newest"
      : "'loom switch' needs the NODE to go to, or --newest"
    return yield* new UsageError({ message, command: "loom switch" })
  }
  yield* forest.switchTo(Option.isSome(node) ? yield* NodeName.resolve(node.value) : undefined)
  const place = yield* NodeFormat.findPlace("@")
  const parts = NodeText.isRoot(place) ? ([place] as const) : yield* MessageParts.read(forest, place.id)
  const labels = yield* NodeFormat.loadLabels(parts)
  if (json) return yield* Screen.line(out, sanitizeJson({ node: NodeFormat.toObject(place, labels.titles) }))
  yield* Screen.line(out, NodeFormat.row(parts, labels, out.style, { width: yield* NodeFormat.lineWidth(out) }))
})
