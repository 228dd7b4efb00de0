/** The symbols of a file as trees, by their lines: methods in their classes, and functions in functions. Pure. */
import type { IndexEntry } from "../../index/IndexEntry.ts"

/** A symbol and those within its lines. */
export interface SymbolNode {
  readonly entry: IndexEntry
  readonly isOpen: boolean
  /** True if its mark has its name, because an open symbol beside it begins on the same line. */
  readonly isNamed: boolean
  readonly children: ReadonlyArray<SymbolNode>
}

/** Returns the open symbols of a node, in the order of their marks. */
export const openIn = (node: SymbolNode): ReadonlyArray<IndexEntry> => [
  ...(node.isOpen ? [node.entry] : []),
  ...node.children.flatMap(openIn),
]

/** Returns the trees of the symbols of a file. A symbol that is only partly in another one is put beside it. */
export const nest = (
  entries: ReadonlyArray<IndexEntry>,
  isOpen: (entry: IndexEntry) => boolean,
): ReadonlyArray<SymbolNode> => {
  interface Growing extends SymbolNode {
    readonly children: Array<Growing>
  }
  const roots: Array<Growing> = []
  const above: Array<Growing> = []
  const isShared = sharedStarts(entries.filter(isOpen))
  const sorted = entries.toSorted((one, other) => one.startLine - other.startLine || other.endLine - one.endLine)
  for (const entry of sorted) {
    const node: Growing = { entry, isOpen: isOpen(entry), isNamed: isShared(entry), children: [] }
    for (let parent = above.at(-1); parent !== undefined && !isAround(parent.entry, entry); parent = above.at(-1)) {
      above.pop()
    }
    ;(above.at(-1)?.children ?? roots).push(node)
    // A chain of symbols on one line, as in a minified file, would be as deep as it is long.
    if (above.length < MAX_DEPTH) above.push(node)
  }
  return roots
}

const MAX_DEPTH = 20

const sharedStarts = (entries: ReadonlyArray<IndexEntry>) => {
  const counts = Map.groupBy(entries, ({ startLine }) => startLine)
  return ({ startLine }: IndexEntry): boolean => (counts.get(startLine)?.length ?? 0) > 1
}

/**
 * Returns whether one symbol is around another. `inner` begins on the same line or later. Symbols on the same lines are
 * beside each other, unless one is the container of the other.
 */
const isAround = (outer: IndexEntry, inner: IndexEntry): boolean =>
  inner.endLine <= outer.endLine &&
  (inner.startLine > outer.startLine || inner.endLine < outer.endLine || inner.container === outer.qualifiedName)
