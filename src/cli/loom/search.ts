/** `vibe loom search`: full-text search over the messages, and over the titles that conversations were given. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Conversations from "../../conversation/Conversations.ts"
import * as Forest from "../../forest/Forest.ts"
import * as MessageParts from "../../forest/MessageParts.ts"
import { isReadable } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as NodeText from "../../forest/NodeText.ts"
import * as Query from "../../forest/Query.ts"
import * as Pager from "../terminal/Pager.ts"
import * as Screen from "../terminal/Screen.ts"
import * as NodeFormat from "./NodeFormat.ts"
import type { SearchInput } from "./readCommands.ts"

export const run = Effect.fn("cli.loom.search")(function* ({ json, noPager, words, ...input }: SearchInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  const text = words.join(" ")
  if (Query.queryTerms(text).length === 0) {
    return yield* new UsageError({ message: `'${text}' has no word in it to look for`, command: "loom search" })
  }
  const query: Query.Query = {
    text,
    unreadable: true,
    root: Option.isNone(input.root)
      ? undefined
      : (yield* forest.path(yield* NodeName.resolve(input.root.value), { last: 0 })).root.id,
    role: Option.getOrUndefined(input.role),
    model: Option.getOrUndefined(Option.map(input.model, String)),
    since: Option.getOrUndefined(input.since),
    until: Option.getOrUndefined(input.until),
    limit: Option.getOrUndefined(input.limit),
  }
  const hits = yield* forest.search(query)
  const titled = yield* findByTitle(query)
  const readable = hits.filter(isReadable)
  // Unreadable nodes come last.
  const skipped = hits.slice(readable.length)
  if (skipped.length > 0) yield* Screen.line(err, `not searched: ${NodeText.unreadable(skipped)}`)
  if (json) {
    const { titles } = yield* NodeFormat.loadLabels([])
    const nodes = readable.map((node) => NodeFormat.toObject(node, titles))
    return yield* Screen.line(out, sanitizeJson({ nodes, conversations: titled.map(NodeFormat.toConversationObject) }))
  }
  if (readable.length + titled.length === 0) {
    return yield* Screen.line(err, `no message matches: ${sanitizeLine(text)}`)
  }
  const messages = yield* MessageParts.readAll(forest, readable)
  const labels = yield* NodeFormat.loadLabels([...titled.map(({ leaf }) => ({ id: leaf })), ...messages.flat()])
  const width = yield* NodeFormat.lineWidth(out)
  const lines = [
    ...titled.map((each) => NodeFormat.titleHit(each, labels, out.style, { width })),
    ...messages.map((parts) => NodeFormat.searchHit(parts, text, labels, out.style, { width })),
  ]
  yield* Pager.print(out, lines.join("\n"), { noPager })
})

/** Titles have no role and no model: with one of these only messages are found. */
const findByTitle = Effect.fnUntraced(function* ({ limit, model, role, root, since, text, until }: Query.Query) {
  if (role !== undefined || model !== undefined) return []
  const found = yield* Conversations.findByTitle(text, { limit: Number.MAX_SAFE_INTEGER })
  return found
    .filter(({ changed, created, tree }) => {
      const isInTime = changed >= (since ?? changed) && created <= (until ?? created)
      return isInTime && (root === undefined || tree === root)
    })
    .slice(0, limit ?? Query.DEFAULT_LIMIT)
})
