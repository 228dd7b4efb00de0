/** The result of checking everything that a forest stores. */

/** A violated invariant: no sequence of operations leads to it. */
export interface Problem {
  /** A node, a tree, a bookmark, an entry of the journal, or the storage itself. */
  readonly subject: string
  readonly what: string
  /** Whether `ForestStore.mend` repairs it: it concerns only what can be rebuilt from the rows. */
  readonly isMendable?: boolean
}

export interface Verification {
  /** Without removed ones, which are checked and not counted. */
  readonly roots: number
  readonly nodes: number
  readonly bookmarks: number
  readonly entries: number
  readonly problems: ReadonlyArray<Problem>
  /** Irregularities that deletions may leave. Providers refuse them, so `History.repair` corrects them in requests. */
  readonly notes: ReadonlyArray<Problem>
}
