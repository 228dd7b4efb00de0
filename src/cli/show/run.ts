/** Runs `vibe show`. */

import * as path from "node:path"
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../indexing/IndexEntry.ts"
import type { Index } from "../../indexing/IndexStore.ts"
import { sanitizeJson } from "../../message/Sanitize.ts"
import { NoSuchSymbol } from "../CommandError.ts"
import * as Project from "../project/Project.ts"
import * as SymbolText from "../project/SymbolText.ts"
import * as Screen from "../terminal/Screen.ts"
import type { Input } from "./command.ts"

export const run = Effect.fn("cli.show")(function* ({ json, root, symbol, why }: Input) {
  const { out } = yield* Screen.Screen
  const { index, workspace } = yield* Project.open(root)

  /** As it was typed, and as it lies in the workspace if it was typed from a folder inside. */
  const paths = (typed: string) => [path.normalize(typed), path.relative(workspace.root, path.resolve(typed))]
  const named = yield* byName(index, symbol, paths)
  const outline = named.length > 0 ? [] : yield* inFile(index, paths(symbol))
  if (named.length + outline.length === 0) {
    const nearest = yield* index.nearest(symbol, { limit: 5 })
    return yield* new NoSuchSymbol({ symbol, nearest: nearest.map((entry) => `${entry.path}:${entry.qualifiedName}`) })
  }
  if (json) {
    const symbols = yield* Effect.forEach([...named, ...outline], (entry) =>
      Effect.zipWith(
        index.references(entry.name),
        why ? Effect.flatMap(Why, ({ known }) => known(entry)) : Effect.succeed({}),
        (references, exchange) => ({ ...SymbolText.symbol(entry, references), ...exchange }),
      ),
    )
    return yield* Screen.line(out, sanitizeJson({ symbols }))
  }
  const details = yield* Effect.forEach(named, (entry) =>
    Effect.zipWith(
      index.references(entry.name),
      why
        ? Effect.flatMap(Why, ({ told }) => Effect.map(told(entry, out.style), (told) => ["", told]))
        : Effect.succeed([]),
      (references, told) =>
        [
          SymbolText.heading(entry, out.style),
          ...SymbolText.doc(entry),
          ...SymbolText.usedBy(references, out.style),
          ...told,
        ].join("\n"),
    ),
  )
  yield* Screen.line(out, [...details, ...list(outline, out.style)].join("\n\n"))
}, Effect.scoped)

/** `append`, `Forest.append`, `src/Forest.ts:append`. Several where the name is not the only one of its kind. */
const byName = Effect.fnUntraced(function* (
  index: Index,
  symbol: string,
  paths: (typed: string) => ReadonlyArray<string>,
) {
  const anywhere = yield* index.find(symbol)
  if (anywhere.length > 0) return anywhere
  const [, file, name] = /^(.+):([^:]+)$/.exec(symbol) ?? []
  if (file === undefined || name === undefined) return []
  return yield* firstNonEmpty(paths(file), (path) => index.find(name, path))
})

const inFile = (index: Index, paths: ReadonlyArray<string>) => firstNonEmpty(paths, index.symbolsIn)

const firstNonEmpty = <E>(
  paths: ReadonlyArray<string>,
  look: (path: string) => Effect.Effect<ReadonlyArray<IndexEntry>, E>,
): Effect.Effect<ReadonlyArray<IndexEntry>, E> =>
  Effect.reduce(paths, [] as ReadonlyArray<IndexEntry>, (found, path) =>
    found.length > 0 ? Effect.succeed(found) : look(path),
  )

const list = (
  entries: ReadonlyArray<IndexEntry>,
  style: Parameters<typeof SymbolText.row>[1],
): ReadonlyArray<string> =>
  entries.length === 0 ? [] : [entries.map((entry) => SymbolText.row(entry, style)).join("\n")]

/** It reads the forest, which is not loaded for less. */
const Why = Effect.promise(() => import("./Why.ts"))
