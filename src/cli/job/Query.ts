/** The work of `vibe query`. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Workspace } from "../../code/Workspace.ts"
import type { Hit } from "../../indexing/IndexStore.ts"
import { printableJson, printableLine } from "../../message/Printable.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as Answer from "../Answer.ts"
import * as Excerpt from "../Excerpt.ts"
import * as Project from "../Project.ts"
import * as Screen from "../Screen.ts"

export interface Input {
  readonly words: ReadonlyArray<string>
  readonly limit: number
  readonly root: Option.Option<string>
  readonly json: boolean
}

export const run = Effect.fn("cli.query")(function* ({ json, limit, root, words }: Input) {
  const screen = yield* Screen.Screen
  const query = words.join(" ").trim()
  if (query === "") return yield* new UsageError({ message: "'query' needs TEXT", command: "query" })

  const { index, workspace } = yield* Project.open(root)
  const hits = yield* index.search(query, limit)
  if (json) return yield* Screen.line(screen.out, printableJson({ results: hits.map(Answer.hit) }))
  if (hits.length === 0)
    return yield* Screen.line(screen.err, `nothing in the index answers to: ${printableLine(query)}`)
  const blocks = yield* Effect.forEach(hits, (hit) => block(workspace, hit, query, hits.length))
  yield* Screen.line(screen.out, blocks.join("\n\n"))
}, Effect.scoped)

const block = Effect.fnUntraced(function* (workspace: Workspace, { entry }: Hit, query: string, count: number) {
  const { style } = (yield* Screen.Screen).out
  return yield* workspace.read(entry.path).pipe(
    Effect.map(({ text }) => Answer.found(entry, Excerpt.best(text, entry, query), style, count)),
    Effect.catchAll((error) => Effect.succeed(`${Answer.heading(entry, style)}\n  (${printableLine(error.message)})`)),
  )
})
