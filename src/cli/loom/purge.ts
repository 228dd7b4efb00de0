/** `vibe loom purge`: removes messages for good, after the user has confirmed it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural } from "../../base/Plural.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import * as NodeName from "../../forest/NodeName.ts"
import * as Confirm from "../terminal/Confirm.ts"
import * as Screen from "../terminal/Screen.ts"
import { listBookmarks } from "./delete.ts"
import type { PurgeInput } from "./writeCommands.ts"

export const run = Effect.fn("cli.loom.purge")(function* ({ bookmarks, json, node, removed, yes }: PurgeInput) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  if (Option.isSome(node) === removed) {
    const message = "'loom purge' needs one of NODE and --removed"
    return yield* new UsageError({ message, command: "loom purge" })
  }
  const target = Option.isSome(node) ? yield* NodeName.resolveStored(node.value) : ("removed" as const)
  const preview = yield* forest.previewPurge(target, { bookmarks })
  // A purge of nothing needs no confirmation: it only clears the traces of an earlier purge.
  if (!yes && !isEmpty(preview)) {
    const answer = yield* (yield* Confirm.Confirm).ask(`${question(preview)} [y/N] `)
    if (Option.isNone(answer)) {
      const message = "'loom purge' asks before it removes anything for good, and stdin is no terminal: add --yes"
      return yield* new UsageError({ message, command: "loom purge" })
    }
    if (!answer.value) {
      yield* Screen.line(err, "nothing was purged")
      return json ? yield* Screen.line(out, sanitizeJson({ purged: null })) : undefined
    }
  }
  const purged = yield* forest.purge(target, { bookmarks })
  yield* Screen.line(out, json ? sanitizeJson({ purged }) : sanitizeLine(`purged ${describe(purged)}`))
})

const isEmpty = ({ nodes, texts, trees }: Forest.Purged): boolean => nodes + texts + trees === 0

const question = (preview: Forest.Purged): string =>
  sanitizeLine(`Remove ${describe(preview)} for good? Nothing can bring it back`)

/** `3 nodes, 1 earlier text and the bookmark draft` */
const describe = ({ bookmarks, nodes, texts, trees }: Forest.Purged): string => {
  const counts = [
    ...(trees === 0 ? [] : [plural(trees, "tree")]),
    ...(nodes === 0 && trees + texts > 0 ? [] : [plural(nodes, "node")]),
    ...(texts === 0 ? [] : [plural(texts, "earlier text")]),
  ]
  return [counts.join(", "), ...listBookmarks(bookmarks)].join(" ")
}
