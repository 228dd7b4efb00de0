/** Runs the commands of `vibe loom` that examine the forest and free its space. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { plural } from "../../base/Prose.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as Forest from "../../forest/Forest.ts"
import * as ForestStore from "../../forest/ForestStore.ts"
import * as NodeName from "../../forest/NodeName.ts"
import { Unsound } from "../CommandError.ts"
import * as Confirm from "../terminal/Confirm.ts"
import * as Screen from "../terminal/Screen.ts"
import { listBookmarks } from "./delete.ts"
import type { VerifyInput } from "./readCommands.ts"
import type { PurgeInput } from "./writeCommands.ts"

/** The most problems, and the most notes, that are printed: one lost page may cause thousands. */
const MAX_LINES = 100

/** `vibe loom verify`: checks the integrity of everything that the forest stores. */
export const verify = Effect.fn("cli.loom.verify")(function* ({ json, mend }: VerifyInput) {
  const { err, out } = yield* Screen.Screen
  const store = yield* ForestStore.ForestStore
  if (mend) yield* store.mend
  const { notes, problems, ...counts } = yield* store.verify
  if (problems.length > 0) {
    if (!json) for (const line of toLines(problems)) yield* Screen.line(out, line)
    return yield* new Unsound({ problems })
  }
  if (json) return yield* Screen.line(out, sanitizeJson({ ...counts, problems, notes }))
  for (const line of toLines(notes)) yield* Screen.line(err, line)
  const summary = [
    plural(counts.roots, "tree"),
    plural(counts.nodes, "node"),
    plural(counts.bookmarks, "bookmark"),
    `${counts.entries} in the journal`,
  ]
  yield* Screen.line(out, `all is well: ${summary.join(", ")}`)
})

const toLines = (problems: ReadonlyArray<ForestStore.Problem>): ReadonlyArray<string> => [
  ...problems.slice(0, MAX_LINES).map(({ subject, what }) => sanitizeLine(`${subject}: ${what}`)),
  ...(problems.length > MAX_LINES ? [`and ${problems.length - MAX_LINES} more`] : []),
]

/** `vibe loom purge`: removes messages for good, after the user has confirmed it. */
export const purge = Effect.fn("cli.loom.purge")(function* ({ bookmarks, json, node, removed, yes }: PurgeInput) {
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
