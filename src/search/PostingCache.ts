/** Caches what searches have read of an index, until something is written to the index. */
import type { Statements } from "../disk/Sqlite.ts"
import * as UntilWritten from "../disk/UntilWritten.ts"
import * as DocumentTable from "./DocumentTable.ts"
import * as PostingLists from "./PostingLists.ts"

export interface PostingCache {
  readonly documents: DocumentTable.DocumentTable
  /**
   * The same as `PostingLists.count` and `PostingLists.read`, without the postings of tombstones: an answer depends on
   * the code as it is, and not on how it came to be. Where so many postings are counted that to read them takes longer
   * than a search may, those of tombstones count.
   */
  readonly count: (term: string) => number
  readonly read: (term: string) => ReadonlyArray<PostingLists.PostingList>
}

/** The most postings in the cache: 16 MB. */
const MAX_POSTINGS = 4_000_000

/** The most postings that are read to be counted. */
const MAX_COUNTED = 4_096

const make = (sql: Statements): PostingCache => {
  const counts = new Map<string, number>()
  // The least recently used first.
  const lists = new Map<string, ReadonlyArray<PostingLists.PostingList>>()
  let size = 0
  const documents = DocumentTable.read(sql)
  const readLive = (term: string) => PostingLists.onlyLive(PostingLists.read(sql, term), documents)
  const countAnew = (term: string): number => {
    const all = PostingLists.count(sql, term)
    return documents.hasTombstones && all <= MAX_COUNTED ? sizeOf(readLive(term)) : all
  }
  return {
    documents,
    count: (term) => {
      const known = counts.get(term) ?? countAnew(term)
      counts.set(term, known)
      return known
    },
    read: (term) => {
      const found = lists.get(term) ?? readLive(term)
      if (!lists.delete(term)) size += sizeOf(found)
      lists.set(term, found)
      for (const [oldest, postings] of lists) {
        if (size <= MAX_POSTINGS) break
        lists.delete(oldest)
        size -= sizeOf(postings)
      }
      return found
    },
  }
}

const sizeOf = (lists: ReadonlyArray<PostingLists.PostingList>): number =>
  lists.reduce((sum, { postings }) => sum + postings.length, 0)

/**
 * Returns the cache of a connection, and a new one if the database has changed. Must not be used in a transaction that
 * writes.
 */
export const of: (sql: Statements) => PostingCache = UntilWritten.make(make)
