/** Finds the symbols that a model means by a file and a name. */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../indexing/IndexEntry.ts"
import type { IndexError } from "../../indexing/IndexError.ts"
import type { Index } from "../../indexing/IndexStore.ts"
import { Failed } from "../../tool/ToolError.ts"

/** Names of the file that a refusal lists where none is similar. */
const MAX_NAMES = 10

/**
 * One symbol, or several with the same qualified name (overloads). A plain name of symbols in different containers is
 * refused with their qualified names, an unknown name with the most similar ones, or where none is similar, with names
 * that the file has.
 */
export const locate = (
  index: Index,
  path: string,
  symbol: string,
): Effect.Effect<ReadonlyArray<IndexEntry>, IndexError | Failed> =>
  Effect.gen(function* () {
    const entries = yield* index.find(symbol, path)
    const exact = entries.filter((entry) => entry.qualifiedName === symbol)
    if (exact.length > 0) return exact
    const names = new Set(entries.map((entry) => entry.qualifiedName))
    if (names.size === 1) return entries
    if (names.size > 1) {
      return yield* new Failed({ message: `Symbol '${symbol}' in ${path} is one of ${Array.from(names).join(", ")}` })
    }
    const near = yield* index.nearest(symbol, { path, limit: 5 })
    const hint =
      near.length > 0
        ? `nearest: ${near.map((entry) => entry.qualifiedName).join(", ")}`
        : namesOf(yield* index.symbolsIn(path))
    return yield* new Failed({ message: `Symbol '${symbol}' not found in ${path}; ${hint}` })
  })

/** Major symbols first, in order of their start. */
const namesOf = (entries: ReadonlyArray<IndexEntry>): string => {
  const ordered = [...entries.filter(({ isMajor }) => isMajor), ...entries.filter(({ isMajor }) => !isMajor)]
  const names = Array.from(new Set(ordered.map(({ qualifiedName }) => qualifiedName)))
  if (names.length === 0) return "it has no symbols"
  const more = names.length - MAX_NAMES
  return `it has ${names.slice(0, MAX_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}
