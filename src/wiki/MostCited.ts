/**
 * Finds where one begins to read a project of which a model has written: at the symbols that most of its pages tell of.
 * How many files use a symbol says less, since many use helpers such as one that writes in colour.
 */
import * as Effect from "effect/Effect"
import type { IndexError } from "../index/IndexError.ts"
import type { Index } from "../index/IndexStore.ts"
import type { Citation, Page } from "./Page.ts"
import * as States from "./States.ts"
import type * as Material from "./writing/Material.ts"

/** A symbol that one page alone cites belongs to what that page tells. */
const MIN_PAGES = 2

/**
 * Returns the symbols that statements of a model cite on most pages, the most cited first; those on equally many pages
 * by their statements, then in the order of the pages. Citations of files, and of symbols that are gone, do not count.
 */
export const find: (
  index: Pick<Index, "find">,
  pages: ReadonlyArray<Page>,
  most: number,
) => Effect.Effect<ReadonlyArray<Material.Item>, IndexError> = Effect.fnUntraced(function* (index, pages, most) {
  const counts = new Map<string, { readonly citation: Citation; readonly pages: Set<string>; statements: number }>()
  for (const page of pages) {
    for (const { author, citations } of States.statementsOf(page)) {
      if (author !== "model") continue
      for (const citation of citations) {
        if (citation.symbol === undefined) continue
        const key = `${citation.path}\0${citation.symbol}\0${citation.ordinal ?? 0}`
        const known = counts.get(key) ?? { citation, pages: new Set(), statements: 0 }
        known.pages.add(page.name)
        known.statements += 1
        counts.set(key, known)
      }
    }
  }
  const ranked = Array.from(counts.values())
    .filter(({ pages }) => pages.size >= MIN_PAGES)
    .sort((one, other) => other.pages.size - one.pages.size || other.statements - one.statements)
  const found: Array<Material.Item> = []
  for (const { citation } of ranked) {
    if (found.length >= most) break
    const { ordinal = 0, path, symbol = "" } = citation
    const entry = (yield* index.find(symbol, path)).filter(({ qualifiedName }) => qualifiedName === symbol)[ordinal]
    if (entry !== undefined) found.push({ path, ordinal, entry })
  }
  return found
})
