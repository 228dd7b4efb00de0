/** What searches have read of an index, kept for the next ones as long as nothing is written to it. */
import type { Statements } from "../../../disk/Sqlite.ts"
import * as Postings from "./Postings.ts"
import * as Roster from "./Roster.ts"

export interface Latest {
  readonly roster: Roster.Roster
  /** As `Postings` has them: those of words that many questions share are in memory. */
  readonly count: (term: string) => number
  readonly find: (term: string) => ReadonlyArray<Postings.List>
}

/**
 * Read anew only where the database has changed since: SQLite tells what other connections have committed, and counts
 * what this one has written. Not for a transaction that writes: what it takes back would be remembered.
 */
export const of = (sql: Statements): Latest => {
  const state = `${sql("pragma data_version").get()?.data_version} ${sql("select total_changes() as own").get()?.own}`
  const known = seen.get(sql)
  if (known?.state === state) return known.latest
  const latest = read(sql)
  seen.set(sql, { state, latest })
  return latest
}

const seen = new WeakMap<Statements, { readonly state: string; readonly latest: Latest }>()

/** Postings that are kept at the most: 16 MB. */
const MOST = 4_000_000

const read = (sql: Statements): Latest => {
  const counts = new Map<string, number>()
  const lists = new Map<string, ReadonlyArray<Postings.List>>()
  let kept = 0
  const count = (term: string): number => {
    const known = counts.get(term) ?? Postings.count(sql, term)
    counts.set(term, known)
    return known
  }
  return {
    roster: Roster.read(sql),
    count,
    find: (term) => {
      const found = lists.get(term) ?? Postings.find(sql, term)
      // Those that were asked for last are at the end.
      if (!lists.delete(term)) kept += count(term)
      lists.set(term, found)
      for (const [oldest] of lists) {
        if (kept <= MOST) break
        lists.delete(oldest)
        kept -= count(oldest)
      }
      return found
    },
  }
}
