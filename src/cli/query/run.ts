/** Runs `vibe query`. */
import * as Effect from "effect/Effect"
import { IndexEntry } from "../../indexing/IndexEntry.ts"
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

  const project = yield* Project.open(root)
  const hits = yield* project.index.search(query, limit)
  if (json) return yield* Screen.line(screen.out, sanitizeJson({ results: hits.map(SymbolText.hit) }))
  if (hits.length === 0) return yield* Screen.line(screen.err, `no matches for '${sanitizeLine(query)}' in the index`)
  const blocks = yield* Effect.forEach(hits, (hit) => block(project, hit, query, hits.length))
  yield* Screen.line(screen.out, blocks.join("\n\n"))
}, Effect.scoped)

const block = Effect.fnUntraced(function* (
  { displayPath, workspace }: Project.Project,
  { entry }: Hit,
  query: string,
  count: number,
) {
  const { out } = yield* Screen.Screen
  const columns = out.isTerminal ? yield* out.columns : undefined
  const shown = new IndexEntry({ ...entry, path: displayPath(entry.path) })
  return yield* workspace.read(entry.path).pipe(
    Effect.map(({ text }) =>
      SymbolText.formatResult(shown, Excerpt.best(text, entry, query), out.style, { columns, count }),
    ),
    Effect.catchAll((error) =>
      Effect.succeed(`${SymbolText.heading(shown, out.style, columns)}\n  (${sanitizeLine(error.message)})`),
    ),
  )
})
