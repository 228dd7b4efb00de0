/** The work of `vibe loom delete`. */

import * as Effect from "effect/Effect"
import * as Forest from "../../../forest/Forest.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import { UsageError } from "../../../message/UsageError.ts"
import * as Change from "../../loom/Change.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly node: string
  readonly cascade: boolean
  readonly reparent: boolean
  readonly bookmarks: boolean
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.delete")(function* ({ bookmarks, cascade, json, node, reparent }: Input) {
  const { out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  if (cascade === reparent) {
    const message = "'loom delete' needs one of --cascade and --reparent"
    return yield* new UsageError({ message, command: "loom delete" })
  }
  const id = yield* NodeName.resolve(node)
  const removed = yield* forest.remove(id, cascade ? "cascade" : "reparent", { bookmarks })
  yield* Screen.line(
    out,
    json
      ? sanitizeJson({ deleted: removed.nodes.map(({ id }) => id), bookmarks: removed.bookmarks })
      : Change.removed(removed),
  )
})
