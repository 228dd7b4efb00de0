import type { IndexEntry } from "../index/IndexEntry.ts"

/**
 * Finds a symbol of the index among those that its file has now, by its qualified name. If several have it, takes the
 * one that begins nearest.
 */
export const sameSymbol = (
  symbols: ReadonlyArray<IndexEntry>,
  { qualifiedName, startLine }: Pick<IndexEntry, "qualifiedName" | "startLine">,
): IndexEntry | undefined => {
  const distance = (symbol: IndexEntry) => Math.abs(symbol.startLine - startLine)
  const named = symbols.filter((symbol) => symbol.qualifiedName === qualifiedName)
  return named.toSorted((one, other) => distance(one) - distance(other))[0]
}
