/** The work of `vibe loom purge`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Forest from "../../../forest/Forest.ts"
import * as NodeName from "../../../forest/NodeName.ts"
import { sanitizeJson } from "../../../message/Sanitize.ts"
import { UsageError } from "../../../message/UsageError.ts"
import * as Change from "../../loom/Change.ts"
import * as Confirm from "../../terminal/Confirm.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly node: Option.Option<string>
  readonly removed: boolean
  readonly bookmarks: boolean
  readonly yes: boolean
  readonly json: boolean
}

export const run = Effect.fn("cli.loom.purge")(function* ({ bookmarks, json, node, removed, yes }: Input) {
  const { err, out } = yield* Screen.Screen
  const forest = yield* Forest.Forest
  if (Option.isSome(node) === removed) {
    const message = "'loom purge' needs one of NODE and --removed"
    return yield* new UsageError({ message, command: "loom purge" })
  }
  const target = Option.isSome(node) ? yield* NodeName.resolveStored(node.value) : ("removed" as const)
  const wanted = yield* forest.previewPurge(target, { bookmarks })
  // Without anything to remove it only clears the traces of an earlier purge.
  if (!yes && !Change.isNothing(wanted)) {
    const answer = yield* (yield* Confirm.Confirm).ask(`${Change.question(wanted)} [y/N] `)
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
  yield* Screen.line(out, json ? sanitizeJson({ purged }) : Change.purged(purged))
})
