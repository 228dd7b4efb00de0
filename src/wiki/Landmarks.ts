/** Finds where one begins to read: at what the project is built on, and at what its README shows users of. */
import type { IndexEntry } from "../index/IndexEntry.ts"

/**
 * Puts symbols, given from the most central one on, in the order in which a newcomer should read them: in turn the next
 * one and the next that the code in the README names, since that is what users meet first. Leaves out a second symbol of
 * the same name, such as the declaration of what another file implements, and defaults, whose name says nothing.
 * `project`: the name by which users import the project. O(length of the README + symbols).
 */
export const order = <A extends Pick<IndexEntry, "qualifiedName">>(
  symbols: ReadonlyArray<A>,
  readme: string,
  project: string,
): ReadonlyArray<A> => {
  const shown = namesIn(readme, project)
  const byName = new Map(symbols.toReversed().map((symbol) => [symbol.qualifiedName, symbol]))
  byName.delete("default")
  const distinct = symbols.filter((symbol) => byName.get(symbol.qualifiedName) === symbol)
  const named = distinct.filter(({ qualifiedName }) => shown.has(qualifiedName))
  return Array.from(new Set(distinct.flatMap((symbol, turn) => [symbol, named[turn] ?? symbol])))
}

/** A block of code, or code in a line. */
const code = /```[\s\S]*?```|~~~[\s\S]*?~~~|`[^`\n]+`|^(?: {4}|\t).*$/gm

/** A name with what it is qualified by. */
const qualified = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->|#|\\)[\p{L}_$][\p{L}\p{N}_$]*)*/gu

/**
 * Returns the names in the code of a README as the index writes them: each whole, each that qualifies one, and without
 * the name of the project before it, as in `click.echo`. A name alone of two letters is mostly a variable.
 */
const namesIn = (readme: string, project: string): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const [text] of readme.matchAll(code)) {
    for (const [name] of text.matchAll(qualified)) {
      const all = name.split(/\.|::|->|#|\\/)
      const own = all.length > 1 && all[0]?.toLowerCase() === project.toLowerCase() ? all.slice(1) : []
      for (const parts of [all, own]) {
        for (let length = 1; length <= Math.min(parts.length, MAX_QUALIFIERS); length++) {
          const prefix = parts.slice(0, length).join(".")
          if (prefix.length > 2) names.add(prefix)
        }
      }
    }
  }
  return names
}

/** A name of more parts than this is no name of a symbol. */
const MAX_QUALIFIERS = 8
