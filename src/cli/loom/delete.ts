/** `vibe loom delete`: marks a message as deleted, until it is undone or purged. */
import * as Effect from "effect/Effect"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import type { Node } from "../../forest/Node.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Screen from "../terminal/Screen.ts"
import type { DeleteInput } from "./writeCommands.ts"

export const run = Effect.fn("cli.loom.delete")(function* ({ bookmarks, cascade, json, node, reparent }: DeleteInput) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  if (cascade === reparent) {
    const message = cascade
      ? "'loom delete' takes only one of --cascade and --reparent"
      : "'loom delete' needs one of --cascade and --reparent"
    return yield* new UsageError({ message, command: "loom delete" })
  }
  const id = yield* NodeName.resolve(node)
  const deleted = yield* forest.remove(id, cascade ? "cascade" : "reparent", { bookmarks })
  yield* Screen.line(
    out,
    json
      ? sanitizeJson({ deleted: deleted.nodes.map(({ id }) => id), bookmarks: deleted.bookmarks })
      : describeDeletion(deleted),
  )
})

/** `deleted 3 nodes (with 2 answers to its calls) and the bookmark draft` */
export const describeDeletion = ({
  answers,
  bookmarks,
  nodes,
}: {
  readonly nodes: ReadonlyArray<Node>
  readonly answers: ReadonlyArray<Node>
  readonly bookmarks: ReadonlyArray<string>
}): string =>
  sanitizeLine(
    [
      `deleted ${plural(nodes.length, "node")}`,
      ...(answers.length === 0 ? [] : [`(with ${plural(answers.length, "answer")} to its calls)`]),
      ...listBookmarks(bookmarks),
    ].join(" "),
  )

/** `and the bookmarks draft, final`; nothing without bookmarks. */
export const listBookmarks = (titles: ReadonlyArray<string>): ReadonlyArray<string> =>
  titles.length === 0 ? [] : [`and the ${titles.length === 1 ? "bookmark" : "bookmarks"} ${titles.join(", ")}`]
