/** The work of `vibe loom verify`. */
import * as Effect from "effect/Effect"
import * as ForestStore from "../../../forest/ForestStore.ts"
import type { Problem } from "../../../forest/Verification.ts"
import { plural } from "../../../message/Plural.ts"
import { sanitizeJson, sanitizeLine } from "../../../message/Sanitize.ts"
import { Unsound } from "../../CommandError.ts"
import * as Screen from "../../terminal/Screen.ts"

export interface Input {
  readonly mend: boolean
  readonly json: boolean
}

/** Problems and notes that are printed, of each at the most: one page that is lost may take thousands with it. */
const MOST = 100

export const run = Effect.fn("cli.loom.verify")(function* ({ json, mend }: Input) {
  const { err, out } = yield* Screen.Screen
  const store = yield* ForestStore.ForestStore
  if (mend) yield* store.mend
  const { notes, problems, ...counts } = yield* store.verify
  if (problems.length > 0) {
    if (!json) for (const line of lines(problems)) yield* Screen.line(out, line)
    return yield* new Unsound({ problems })
  }
  if (json) return yield* Screen.line(out, sanitizeJson({ ...counts, problems, notes }))
  for (const line of lines(notes)) yield* Screen.line(err, line)
  const all = [
    plural(counts.roots, "tree"),
    plural(counts.nodes, "node"),
    plural(counts.bookmarks, "bookmark"),
    `${counts.entries} in the journal`,
  ]
  yield* Screen.line(out, `all is well: ${all.join(", ")}`)
})

const lines = (problems: ReadonlyArray<Problem>): ReadonlyArray<string> => [
  ...problems.slice(0, MOST).map(({ subject, what }) => sanitizeLine(`${subject}: ${what}`)),
  ...(problems.length > MOST ? [`and ${problems.length - MOST} more`] : []),
]
