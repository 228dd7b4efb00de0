/** Finds the symbols that a model means by a file and a name. */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../index/IndexEntry.ts"
import type { IndexError } from "../../index/IndexError.ts"
import type { Index } from "../../index/IndexStore.ts"
import * as LanguageName from "../../lookup/LanguageName.ts"
import { Failed } from "../../tool/ToolError.ts"

/** The most names of the file that a refusal lists if none is similar. */
const MAX_NAMES = 10

/**
 * Finds one symbol, or several with the same qualified name (overloads). If symbols in different containers have a
 * plain name, the refusal lists their qualified names. For an unknown name it lists the most similar names, or names of
 * the file if none is similar.
 */
export const locate = (
  index: Index,
  path: string,
  symbol: string,
): Effect.Effect<ReadonlyArray<IndexEntry>, IndexError | Failed> =>
  Effect.gen(function* () {
    const known = yield* index.find(symbol, path)
    const entries = known.length > 0 ? known : yield* LanguageName.find(index, symbol, { path })
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

/** Lists names: major symbols first, in order of their start. */
const namesOf = (entries: ReadonlyArray<IndexEntry>): string => {
  const ordered = [...entries.filter(({ isMajor }) => isMajor), ...entries.filter(({ isMajor }) => !isMajor)]
  const names = Array.from(new Set(ordered.map(({ qualifiedName }) => qualifiedName)))
  if (names.length === 0) return "it has no symbols"
  const more = names.length - MAX_NAMES
  return `it has ${names.slice(0, MAX_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}
