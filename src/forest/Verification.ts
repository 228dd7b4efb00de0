/** What a look at everything that a forest keeps has found. */

/** Something that can never be, whatever was done to the forest. */
export interface Problem {
  /** A node, a tree, a bookmark, an entry of the journal, or the storage itself. */
  readonly subject: string
  readonly what: string
  /** Whether it is about what only follows from the rest, and `ForestStore.mend` makes anew. */
  readonly isMendable?: boolean
}

export interface Verification {
  /** Of what is there: what was removed is looked at too, and not counted. */
  readonly roots: number
  readonly nodes: number
  readonly bookmarks: number
  readonly entries: number
  readonly problems: ReadonlyArray<Problem>
  /** What providers refuse and the loop mends, and deleting can leave behind. */
  readonly notes: ReadonlyArray<Problem>
}
