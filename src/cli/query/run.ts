/** Runs `vibe query`. */
import * as Effect from "effect/Effect"
import type { Workspace } from "../../code/Workspace.ts"
import type { Hit } from "../../indexing/IndexStore.ts"
import { sanitizeJson, sanitizeLine } from "../../message/Sanitize.ts"
import { UsageError } from "../../message/UsageError.ts"
import * as Project from "../project/Project.ts"
import * as SymbolText from "../project/SymbolText.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"
import * as Excerpt from "./Excerpt.ts"

export const run = Effect.fn("cli.query")(function* ({ json, limit, root, words }: Input) {
  const screen = yield* Screen.Screen
  const query = words.join(" ").trim()
  if (query === "") return yield* new UsageError({ message: "'query' needs TEXT", command: "query" })

  const { index, workspace } = yield* Project.open(root)
  const hits = yield* index.search(query, limit)
  if (json) return yield* Screen.line(screen.out, sanitizeJson({ results: hits.map(SymbolText.hit) }))
  if (hits.length === 0)
    return yield* Screen.line(screen.err, `nothing in the index answers to: ${sanitizeLine(query)}`)
  const blocks = yield* Effect.forEach(hits, (hit) => block(workspace, hit, query, hits.length))
  yield* Screen.line(screen.out, blocks.join("\n\n"))
}, Effect.scoped)

const block = Effect.fnUntraced(function* (workspace: Workspace, { entry }: Hit, query: string, count: number) {
  const { style } = (yield* Screen.Screen).out
  return yield* workspace.read(entry.path).pipe(
    Effect.map(({ text }) => SymbolText.found(entry, Excerpt.best(text, entry, query), style, count)),
    Effect.catchAll((error) =>
      Effect.succeed(`${SymbolText.heading(entry, style)}\n  (${sanitizeLine(error.message)})`),
    ),
  )
})
