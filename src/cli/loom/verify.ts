/** `vibe loom verify`: checks the integrity of everything that the forest stores. */
import * as Effect from "effect/Effect"
import { plural } from "../../base/Plural.ts"
import { sanitizeJson, sanitizeLine } from "../../base/Sanitize.ts"
import * as ForestStore from "../../forest/ForestStore.ts"
import type { Problem } from "../../forest/Verification.ts"
import { Unsound } from "../CommandError.ts"
import * as Screen from "../terminal/Screen.ts"
import type { VerifyInput } from "./readCommands.ts"

/** The most problems, and the most notes, that are printed: one lost page may cause thousands. */
const MAX_LINES = 100

export const run = Effect.fn("cli.loom.verify")(function* ({ json, mend }: VerifyInput) {
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

const toLines = (problems: ReadonlyArray<Problem>): ReadonlyArray<string> => [
  ...problems.slice(0, MAX_LINES).map(({ subject, what }) => sanitizeLine(`${subject}: ${what}`)),
  ...(problems.length > MAX_LINES ? [`and ${problems.length - MAX_LINES} more`] : []),
]
