/** The result of checking everything that a forest stores. */

/** A violated invariant: no sequence of operations leads to it. */
export interface Problem {
  /** The object that has the problem: a node, a tree, a bookmark, an entry of the journal, or the storage itself. */
  readonly subject: string
  readonly what: string
  /** True if `ForestStore.mend` repairs it, since it concerns only what can be rebuilt from the rows. */
  readonly isMendable?: boolean
}

export interface Verification {
  /** The number of roots. Removed ones are checked, but not counted. */
  readonly roots: number
  readonly nodes: number
  readonly bookmarks: number
  readonly entries: number
  readonly problems: ReadonlyArray<Problem>
  /** Irregularities that deletions may leave. Providers refuse them, so `History.repair` corrects them in requests. */
  readonly notes: ReadonlyArray<Problem>
}
