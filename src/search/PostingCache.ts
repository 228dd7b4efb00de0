/** Caches what searches have read of an index, until something is written to the index. */
import type { Statements } from "../disk/Sqlite.ts"
import * as UntilWritten from "../disk/UntilWritten.ts"
import * as DocumentTable from "./DocumentTable.ts"
import * as PostingLists from "./PostingLists.ts"

export interface PostingCache {
  readonly documents: DocumentTable.DocumentTable
  /** The same as `PostingLists.count` and `PostingLists.read`. */
  readonly count: (term: string) => number
  readonly read: (term: string) => ReadonlyArray<PostingLists.PostingList>
}

/** The most postings in the cache: 16 MB. */
const MAX_POSTINGS = 4_000_000

const make = (sql: Statements): PostingCache => {
  const counts = new Map<string, number>()
  // The least recently used first.
  const lists = new Map<string, ReadonlyArray<PostingLists.PostingList>>()
  let size = 0
  const count = (term: string): number => {
    const known = counts.get(term) ?? PostingLists.count(sql, term)
    counts.set(term, known)
    return known
  }
  return {
    documents: DocumentTable.read(sql),
    count,
    read: (term) => {
      const found = lists.get(term) ?? PostingLists.read(sql, term)
      if (!lists.delete(term)) size += count(term)
      lists.set(term, found)
      for (const [oldest] of lists) {
        if (size <= MAX_POSTINGS) break
        lists.delete(oldest)
        size -= count(oldest)
      }
      return found
    },
  }
}

/**
 * Returns the cache of a connection, and a new one if the database has changed. Must not be used in a transaction that
 * writes.
 */
export const of: (sql: Statements) => PostingCache = UntilWritten.make(make)
