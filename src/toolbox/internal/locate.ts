/** Finds the symbols that a model means by a file and a name. */
import * as Effect from "effect/Effect"
import type { IndexEntry } from "../../indexing/IndexEntry.ts"
import type { IndexError } from "../../indexing/IndexError.ts"
import type { Index } from "../../indexing/IndexStore.ts"
import { Failed } from "../../tool/ToolError.ts"

/**
 * One symbol, or several with the same qualified name (overloads). A plain name of symbols in different containers is
 * refused with their qualified names, an unknown name with the most similar ones.
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
    const hint = near.length === 0 ? "" : `; nearest: ${near.map((entry) => entry.qualifiedName).join(", ")}`
    return yield* new Failed({ message: `Symbol '${symbol}' not found in ${path}${hint}` })
  })
